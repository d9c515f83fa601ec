"""The parts of pages that Streamlit has not: a map that does not flicker and a feed that keeps its place."""
