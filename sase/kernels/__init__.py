"""The matching loops: plain Python functions over arrays that numba compiles once per machine and caches.

With NUMBA_DISABLE_JIT=1 the same functions run as Python: that is how they are debugged.
"""
