func run() error {
	if err := load(); err != nil {
		return err
	}
	return nil
}
