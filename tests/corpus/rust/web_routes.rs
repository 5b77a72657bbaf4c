use actix_web::{get, web};
use axum::{routing::get as axum_get, Router};
use clap::Subcommand;

fn app() -> Router {
    let inner = Router::new().route("/deep", get(deep));
    Router::new()
        .route("/", get(root).post(make))
        .route("/users/:id", axum_get(|| async {}).delete(users::drop))
        .nest("/api", api())
        .nest("/inner", inner)
        .merge(users::router().layer(auth))
}

fn api() -> Router {
    Router::new().route("/items", get(items))
}

#[get("/hello/{name}")]
async fn hello() {}

fn config(cfg: &mut web::ServiceConfig) {
    cfg.service(
        web::scope("/v1")
            .service(hello)
            .route("/x", web::post().to(handlers::x))
            .service(web::resource("/y").route(web::get().to(y)).route(web::put().to(z))),
    );
}

fn early(cfg: &mut web::ServiceConfig) {
    cfg.service(web::scope("/v0").service(web::resource("z").route(web::post().to_async(made))));
}

fn rocket() {
    rocket::build().mount("/r", routes![index, posts::list]);
}

#[derive(Subcommand)]
enum Commands {
    /// Serves.
    ServeAll { dir: String },
    Stop,
}
