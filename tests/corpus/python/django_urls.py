from django.urls import include, path, re_path
from rest_framework.routers import DefaultRouter
from . import views

router = DefaultRouter()
router.register(r"users", views.UserViewSet)

api = [
    path("checks/", views.checks),
    path("checks/<uuid:code>", views.Check.as_view(), name="check"),
]

urlpatterns = [
    path("", views.index),
    re_path(r"^old/(?P<pk>\d+)/$", views.old),
    path("api/v1/", include(api)),
    path("api/v2/", include(router.urls)),
    path("blog/", include("blog.urls")),
    path("nested/", include([path("deep/", views.deep)])),
    path("lazy/", view=views.lazy),
]
