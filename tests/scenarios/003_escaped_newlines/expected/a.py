def f():
    return "a\nb $& $1 \\"
