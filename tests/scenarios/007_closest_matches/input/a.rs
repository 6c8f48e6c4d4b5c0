fn handle_request(req: Request) -> Response {
    let auth = req.headers.get("Authorization");
    match validate(auth) {
        Ok(user) => respond(user),
    }
}
