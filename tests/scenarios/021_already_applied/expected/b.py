if a:
    return None
else:
    foo()
