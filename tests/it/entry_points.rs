//! Entry points: what `map --view entries` lists, how routes are asked for, and what handlers say.

use super::harness::TestRepo;

/// The lines of `map --view entries`, without the footer.
#[track_caller]
fn entries(repo: &TestRepo) -> Vec<String> {
    let out = repo.sverklo(&["map", "--view", "entries"]).success();
    let lines = out.lines().filter(|line| !line.starts_with("index "));
    lines.map(str::to_owned).collect()
}

fn express() -> TestRepo {
    let repo = TestRepo::init();
    repo.write(
        "app.js",
        "const express = require('express');\nconst users = require('./routes/users');\nconst app = express();\n\n\
         app.get('/', (req, res) => res.send('hi'));\napp.use('/users', auth, users);\napp.use(prefix(), require('./routes/late'));\n\
         module.exports = app;\n\nfunction auth(req, res, next) {\n  next();\n}\n",
    )
    .write(
        "routes/users.js",
        "const { Router } = require('express');\nconst users = require('../controllers/users');\nconst router = Router();\n\n\
         router.get('/', users.list);\nrouter.route('/:id').get(users.show).delete(users.drop);\nrouter.get('/me', users.me);\n\
         module.exports = router;\n",
    )
    .write(
        "routes/late.js",
        "const router = require('express').Router();\nrouter.post('/late', (req, res) => {});\nmodule.exports = router;\n",
    )
    .write(
        "routes/orphan.js",
        "const router = require('express').Router();\nrouter.put('/orphan', (req, res) => {});\nmodule.exports = router;\n",
    )
    .write(
        "controllers/users.js",
        "exports.list = function (req, res) {};\nexports.show = function (req, res) {};\nexports.drop = function (req, res) {};\n\
         exports.me = function (req, res) {};\n",
    )
    .write(
        "test/app.test.js",
        "const express = require('express');\nconst app = express();\napp.get('/only/here', () => {});\n",
    );
    repo.commit("express");
    repo
}

#[test]
fn routes_of_routers_in_other_files_have_the_whole_path() {
    let repo = express();
    assert_eq!(
        entries(&repo),
        [
            "GET /  (in place)  app.js:5",
            "GET /users/  list  routes/users.js:5",
            "DELETE /users/:id  drop  routes/users.js:6",
            "GET /users/:id  show  routes/users.js:6",
            "GET /users/me  me  routes/users.js:7",
            "POST …/late  (in place)  routes/late.js:2",
            "PUT …/orphan  (in place)  routes/orphan.js:2",
        ]
    );
    let out = repo.sverklo(&["map", "--view", "entries"]).success();
    assert!(out.contains("1 more in tests"), "{out}");
    let json = repo
        .sverklo(&["map", "--view", "entries", "--json"])
        .success();
    assert!(json.contains("\"entry\":\"DELETE /users/:id\""), "{json}");
}

#[test]
fn a_route_is_found_by_its_pattern_and_by_a_concrete_path() {
    let repo = express();
    for asked in [
        "DELETE /users/:id",
        "DELETE /users/{id}",
        "DELETE /users/42",
    ] {
        let out = repo.sverklo(&["symbol", asked]).success();
        assert!(
            out.starts_with("controllers/users.js:3-3 "),
            "{asked}: {out}"
        );
        assert!(
            out.contains("DELETE /users/:id at routes/users.js:6"),
            "{asked}: {out}"
        );
    }
    // Letters fit better than a parameter.
    let out = repo.sverklo(&["symbol", "/users/me"]).success();
    assert!(out.starts_with("controllers/users.js:4-4 "), "{out}");
    // What is written in place is shown where it is stated.
    let out = repo.sverklo(&["symbol", "GET /"]).success();
    assert!(out.contains("app.get('/', (req, res)"), "{out}");
    let out = repo.sverklo(&["refs", "GET /users/7"]).success();
    assert!(
        out.contains("entry GET /users/:id at routes/users.js:6"),
        "{out}"
    );
    assert_eq!(repo.sverklo(&["symbol", "PATCH /users/7"]).status, Some(1));
}

#[test]
fn a_handler_tells_which_routes_lead_to_it() {
    let repo = express();
    let out = repo.sverklo(&["symbol", "drop"]).success();
    assert!(
        out.contains("DELETE /users/:id at routes/users.js:6"),
        "{out}"
    );
    let out = repo.sverklo(&["refs", "show"]).success();
    assert!(
        out.contains("entry GET /users/:id at routes/users.js:6"),
        "{out}"
    );
}

#[test]
fn python_composes_blueprints_routers_and_included_modules() {
    let repo = TestRepo::init();
    repo.write(
        "site/app.py",
        "from flask import Flask\nfrom site.blog import bp as blog\n\n\ndef create_app():\n    app = Flask(__name__)\n    \
         app.register_blueprint(blog, url_prefix=\"/b\")\n    return app\n",
    )
    .write(
        "site/blog.py",
        "from flask import Blueprint\n\nbp = Blueprint(\"blog\", __name__, url_prefix=\"/own\")\n\n\n\
         @bp.route(\"/<int:id>\", methods=[\"GET\", \"POST\"])\ndef post(id):\n    return id\n",
    )
    .write(
        "api/main.py",
        "from fastapi import FastAPI\nfrom api import items\n\napp = FastAPI()\napp.include_router(items.router, prefix=\"/v1\")\n",
    )
    .write(
        "api/items.py",
        "from fastapi import APIRouter\n\nrouter = APIRouter(prefix=\"/items\")\n\n\n@router.get(\"/{id}\")\ndef item(id):\n    return id\n",
    )
    .write(
        "proj/urls.py",
        "from django.urls import include, path\n\nurlpatterns = [path(\"polls/\", include(\"polls.urls\"))]\n",
    )
    .write(
        "polls/urls.py",
        "from django.urls import path\nfrom . import views\n\nurlpatterns = [path(\"<int:pk>/\", views.Detail.as_view())]\n",
    )
    .write("polls/views.py", "class Detail:\n    def get(self, request):\n        return 1\n");
    repo.commit("python");
    assert_eq!(
        entries(&repo),
        [
            "GET,POST /b/<int:id>  post  site/blog.py:6",
            "ANY /polls/<int:pk>/  Detail  polls/urls.py:4",
            "GET /v1/items/{id}  item  api/items.py:6",
        ]
    );
    let out = repo.sverklo(&["symbol", "post"]).success();
    assert!(
        out.contains("0 uses, called by what is outside; GET,POST /b/<int:id> at site/blog.py:6"),
        "{out}"
    );
}

#[test]
fn rails_and_laravel_find_controllers_by_name() {
    let repo = TestRepo::init();
    repo.write(
        "config/routes.rb",
        "Rails.application.routes.draw do\n  namespace :admin do\n    resources :users, only: [:show] do\n      resource :badge, only: [:create]\n    end\n  end\nend\n",
    )
    .write(
        "app/controllers/admin/users_controller.rb",
        "module Admin\n  class UsersController < ApplicationController\n    def show\n    end\n  end\nend\n",
    )
    .write(
        "app/controllers/admin/badges_controller.rb",
        "class Admin::BadgesController < ApplicationController\n  def create\n  end\nend\n",
    )
    .write(
        "routes/api.php",
        "<?php\nuse App\\PhotoController;\nuse Illuminate\\Support\\Facades\\Route;\n\nRoute::apiResource('photos', PhotoController::class)->only(['show']);\n\
         Route::resource('albums.photos', PhotoController::class)->except('index', 'create', 'store', 'edit', 'update', 'destroy');\n\
         Route::resource('authors.books', PhotoController::class)->only('show', 'index')->shallow();\n",
    )
    .write(
        "app/PhotoController.php",
        "<?php\nnamespace App;\n\nclass PhotoController\n{\n    public function show() {}\n}\n",
    )
    .write(
        "app/RouteServiceProvider.php",
        "<?php\nuse Illuminate\\Support\\Facades\\Route;\n\nclass RouteServiceProvider\n{\n    public function map()\n    {\n        Route::prefix('api')->group(base_path('routes/api.php'));\n    }\n}\n",
    );
    repo.commit("rails and laravel");
    assert_eq!(
        entries(&repo),
        [
            "GET /admin/users/:id  Admin.UsersController.show  config/routes.rb:3",
            "POST /admin/users/:user_id/badge  Admin.BadgesController.create  config/routes.rb:4",
            "GET /api/albums/:album_id/photos/:id  PhotoController.show  routes/api.php:6",
            "GET /api/authors/:author_id/books  index  routes/api.php:7",
            "GET /api/books/:id  PhotoController.show  routes/api.php:7",
            "GET /api/photos/:id  PhotoController.show  routes/api.php:5",
        ]
    );
    // They go on naming what is called otherwise, and no code does.
    for (path, from, to) in [
        ("app/PhotoController.php", "show()", "display()"),
        (
            "app/controllers/admin/badges_controller.rb",
            "def create",
            "def make",
        ),
    ] {
        let text = std::fs::read_to_string(repo.dir().join(path)).unwrap();
        repo.write(path, text.replace(from, to));
    }
    let out = repo.sverklo(&["diff", "HEAD"]).success();
    for line in [
        "still expect PhotoController.show (",
        "  routes/api.php:5,6,7 ~\n",
        "still expect Admin.BadgesController.create (",
        "  config/routes.rb:4 ~\n",
    ] {
        assert!(out.contains(line), "{line}: {out}");
    }
}

#[test]
fn files_of_next_are_routes() {
    let repo = TestRepo::init();
    repo.write("web/next.config.js", "module.exports = {};\n")
        .write(
            "web/app/(shop)/items/[id]/route.ts",
            "export async function GET() {}\nexport async function DELETE() {}\nfunction helper() {}\n",
        )
        .write("web/app/page.tsx", "export default function Home() {\n  return null;\n}\n")
        .write("web/pages/api/hello.ts", "export default function handler() {}\n")
        .write("web/lib/page.tsx", "export default function No() {\n  return null;\n}\n");
    repo.commit("next");
    assert_eq!(
        entries(&repo),
        [
            "GET /  Home  web/app/page.tsx:1",
            "ANY /api/hello  handler  web/pages/api/hello.ts:1",
            "DELETE /items/[id]  DELETE  web/app/(shop)/items/[id]/route.ts:2",
            "GET /items/[id]  GET  web/app/(shop)/items/[id]/route.ts:1",
        ]
    );
}

#[test]
fn a_repository_without_frameworks_says_so() {
    let repo = TestRepo::init();
    repo.write("a.js", "exports.get = function () {};\n");
    repo.commit("plain");
    let out = repo.sverklo(&["map", "--view", "entries"]);
    assert_eq!(out.status, Some(1));
    assert!(
        out.stdout.contains("no routes, commands or jobs"),
        "{}",
        out.stdout
    );
}

/// What is said of all of a program is said anywhere in it, and builds of Java say where that is.
#[test]
fn the_path_of_a_program_is_before_those_of_its_resources() {
    let repo = TestRepo::init();
    repo.write(
        "web/src/main/java/a/util/Rest.java",
        "package a.util;\nimport jakarta.ws.rs.ApplicationPath;\n\n@ApplicationPath(\"rest\")\npublic class Rest extends Application {}\n",
    )
    .write(
        "web/src/main/java/a/web/Cargo.java",
        "package a.web;\nimport jakarta.ws.rs.*;\n\n@Path(\"/cargo\")\npublic class Cargo {\n  @GET\n  @Path(\"{id}\")\n  public String one() { return \"\"; }\n}\n",
    )
    .write(
        "web/src/main/java/a/jms/Handled.java",
        "package a.jms;\nimport jakarta.ejb.MessageDriven;\n\n@MessageDriven(mappedName = \"q\")\npublic class Handled implements MessageListener {}\n",
    )
    .write(
        "other/src/main/java/b/Plain.java",
        "package b;\nimport jakarta.ws.rs.*;\n\n@Path(\"/plain\")\npublic class Plain {\n  @GET\n  public String all() { return \"\"; }\n}\n",
    )
    .write(
        "slim/routes.php",
        "<?php\nuse Slim\\App;\nreturn function (App $app) {\n  $app->group('/api', function () {\n    $this->get('/tags', TagController::class . ':all');\n  });\n};\n",
    )
    .write(
        "actix/main.rs",
        "use actix_web::web;\nfn routes(app: &mut web::ServiceConfig) {\n    app.service(web::scope(\"/api\")\n        .service(web::resource(\"users\").route(web::post().to_async(register))));\n}\nfn register() {}\nfn start() { App::new().configure(routes); }\n",
    );
    repo.write(
        "blog/config/routes.yaml",
        "home:\n    path: /{_locale}\n    controller: App\\Home::index\n\ncontrollers:\n    resource: ../src/Controller/\n    prefix: /{_locale}\n",
    )
    .write(
        "blog/src/Controller/PostController.php",
        "<?php\nuse Symfony\\Component\\Routing\\Attribute\\Route;\n\n#[Route('/posts')]\nclass PostController {\n    #[Route('/{id:post}', methods: ['GET'])]\n    public function show() {}\n}\n",
    );
    repo.commit("programs");
    let listed = entries(&repo);
    for expected in [
        "ANY /{_locale}  App\\Home::index  blog/config/routes.yaml:2",
        "GET /{_locale}/posts/{id}  PostController.show  blog/src/Controller/PostController.php:6",
        "GET /rest/cargo/{id}  Cargo.one  web/src/main/java/a/web/Cargo.java:6",
        "GET /plain  Plain.all  other/src/main/java/b/Plain.java:6",
        "message Handled  Handled  web/src/main/java/a/jms/Handled.java:4",
        "GET /api/tags  TagController::class . ':all'  slim/routes.php:5",
        "POST /api/users  register  actix/main.rs:4",
    ] {
        let (head, place) = expected.rsplit_once("  ").unwrap();
        let path = head.split("  ").next().unwrap();
        let found = listed
            .iter()
            .any(|line| line.starts_with(path) && line.ends_with(place));
        assert!(found, "{expected}: {listed:#?}");
    }
}

/// What a handler says of itself is where it is put, and is not told twice.
#[test]
fn what_an_attribute_describes_is_a_route_once() {
    let repo = TestRepo::init();
    repo.write("Cargo.toml", "[package]\nname = \"app\"\n")
        .write(
            "src/main.rs",
            "mod users;\nuse axum::{Router, routing::get};\nuse utoipa_axum::{router::OpenApiRouter, routes};\n\n\
             fn main() {\n    let app = OpenApiRouter::new().nest(\"/api\", OpenApiRouter::new().routes(routes!(users::list)));\n    \
             let old = Router::new()\n        .route(\"/old/users/{id}\", get(users::one));\n}\n",
        )
        .write(
            "src/users.rs",
            "#[utoipa::path(get, path = \"/users\")]\npub async fn list() {}\n\n\
             #[utoipa::path(get, path = \"/users/{id}\")]\npub async fn one() {}\n\n\
             #[utoipa::path(delete, path = \"/users\")]\npub async fn lost() {}\n",
        );
    repo.commit("described");
    let expected = [
        "GET /api/users  list  src/users.rs:1",
        // On the line of the `.route`, not of the beginning of the chain.
        "GET /old/users/{id}  one  src/main.rs:8",
        "DELETE …/users  lost  src/users.rs:7",
    ];
    assert_eq!(entries(&repo), expected);
}

/// `[action]` of a class is another path for each of its methods.
#[test]
fn actions_and_endpoints_of_asp_are_routes() {
    let repo = TestRepo::init();
    repo.write(
        "AccountController.cs",
        "[Route(\"[controller]/[action]\")]\npublic class AccountController : Controller\n{\n    [HttpGet]\n    \
         public string Profile() => \"\";\n\n    [HttpPost(\"{id}\")]\n    public void CloseAsync(int id) { }\n}\n",
    )
    .write(
        "SignIn.cs",
        "public class SignIn : EndpointBase\n{\n    [HttpPost(\"api/sign-in\")]\n    public string Handle() => \"\";\n}\n",
    );
    repo.commit("asp");
    let expected = [
        "POST /Account/Close/{id}  AccountController.CloseAsync  AccountController.cs:7",
        "GET /Account/Profile  AccountController.Profile  AccountController.cs:4",
        "POST /api/sign-in  SignIn.Handle  SignIn.cs:3",
    ];
    assert_eq!(entries(&repo), expected);
    let found = repo.sverklo(&["symbol", "GET /account/profile"]).success();
    assert!(found.starts_with("AccountController.cs:5"), "{found}");
}
