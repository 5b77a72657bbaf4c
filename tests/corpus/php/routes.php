<?php

use App\Http\Controllers\PhotoController;
use Illuminate\Support\Facades\Route;
use Symfony\Component\Routing\Attribute\Route as Attr;

Route::get('/', function () { return view('welcome'); });
Route::post('users/{user}', [UserController::class, 'store'])->name('users.store');
Route::get('/old', 'LegacyController@show');
Route::prefix('admin')->middleware('auth')->group(function () {
    Route::resource('photos', PhotoController::class)->only(['index', 'show']);
    Route::group(['prefix' => 'deep'], function () {
        Route::match(['get', 'post'], 'both', [PhotoController::class, 'both']);
    });
});
Route::controller(OrderController::class)->group(function () {
    Route::delete('/orders/{id}', 'destroy');
});
Route::prefix('api')->group(base_path('routes/api.php'));
Route::apiResource('tags', TagController::class);

#[Route('/blog')]
class BlogController
{
    #[Route('/{slug}', name: 'post', methods: ['GET', 'HEAD'])]
    public function show() {}

    #[Route('/new')]
    public function create() {}
}

#[AsCommand(name: 'app:sync')]
class SyncCommand {}
