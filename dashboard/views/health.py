"""x."""


def show() -> None:
    return None
