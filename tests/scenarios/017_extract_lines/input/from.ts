a
	b
c
