"""The operations of the byte code and what running values count: plans use them, kernels run them."""

# Operations: (op, a, b). LOAD pushes attribute b of the event in register a (-1: the event being tested).
LOAD, CONST, SCALAR, AVG, ADD, SUB, MUL, DIV, MOD, NEG, COMPARE, AND, OR = range(13)
ARITHMETIC = {"+": ADD, "-": SUB, "*": MUL, "/": DIV, "%": MOD}
EQ, NE, LT, LE, GT, GE = range(6)

# Running values of a Kleene component, kept per run (SASE+ 5.2.1, the value vector V).
LEN, COUNT, SUM, MIN, MAX = range(5)
