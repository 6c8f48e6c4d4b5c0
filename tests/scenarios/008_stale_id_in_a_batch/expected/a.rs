// added
fn run() {
    let config = load_config()?;
    let client = Client::new(&config);
    client.connect()?;
    tracing::info!("client ready");

    run(client).await
}
