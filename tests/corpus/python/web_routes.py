from fastapi import APIRouter, FastAPI
from flask import Blueprint, Flask
import click
from celery import shared_task
from . import users

PREFIX = "/v1"
app = FastAPI()
router = APIRouter(prefix="/items")
bp = Blueprint("blog", __name__, url_prefix=f"/{NAME}/blog")
flask = Flask(__name__)


@app.get("/")
async def root():
    return {}


@router.post(PREFIX + "/{item_id}", tags=["x"])
def make(item_id: int):
    return item_id


@router.websocket("/ws")
async def socket(ws):
    pass


@bp.route("/<int:id>", methods=["GET", "POST"])
@login_required
def post(id):
    pass


@bp.route("/plain")
def plain():
    pass


app.include_router(router)
app.include_router(users.router, prefix="/users")
flask.register_blueprint(bp, url_prefix="/b")
flask.add_url_rule("/rule", "rule", view_func=users.Rule.as_view("rule"))
api.add_resource(Thing, "/things", "/things/<id>")


@click.group()
def cli():
    pass


@cli.command()
def sync_all():
    pass


@cli.command("drop")
def drop_it():
    pass


@shared_task(name="mail.send")
def send():
    pass


@app.task
def later():
    pass


def init(app):
    @app.route("/inner")
    def inner():
        pass


cache.get("/not/a/route")
