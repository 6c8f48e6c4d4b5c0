func run() error {
	if err := load(); err != nil {
		if retry {
			return run()
		}
		return err
	}
	return nil
}
