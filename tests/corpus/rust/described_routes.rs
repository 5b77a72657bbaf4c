use utoipa_axum::{router::OpenApiRouter, routes};

pub fn app() -> OpenApiRouter {
    OpenApiRouter::new()
        .routes(routes!(list, users::make))
        .nest("/admin", OpenApiRouter::new().routes(routes!(admin::look)))
}

#[utoipa::path(
    get,
    // Where it is.
    path = "/users",
    params(Page),
    responses((status = 200, description = "All", body = inline(Users)))
)]
pub async fn list() {}

#[utoipa::path(method(get, head), path = "/users/{id}", context_path = "/v1")]
pub async fn one() {}

#[utoipa::path(post, responses((status = 200)))]
pub async fn elsewhere() {}

#[get("/no")]
pub async fn of_nobody() {}
