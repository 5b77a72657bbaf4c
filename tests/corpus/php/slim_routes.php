<?php

use Slim\App;

return function (App $app) {
    $app->get('/', function ($request, $response) { return $response; });
    $app->group('/users', function (Group $group) {
        $group->get('', ListUsers::class);
        $group->map(['PUT', 'PATCH'], '/{id}', UpdateUser::class);
    })->add(Auth::class);
};

$app->group('/v3', function () {
    $this->get('/old', OldController::class . ':show');
});
