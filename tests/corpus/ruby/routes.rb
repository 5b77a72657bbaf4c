Rails.application.routes.draw do
  root "home#index"
  get "/about", to: "pages#about"
  get "old" => "pages#old"
  match "both", to: "pages#both", via: [:get, :post]
  namespace :admin do
    resources :users, only: [:index, :show] do
      member do
        post :ban
      end
      collection do
        get "search"
      end
      get :recent, on: :collection
      resources :posts, except: %i[new edit destroy]
    end
  end
  scope "/v1", module: "api" do
    resource :profile, only: :show
    resources :items, param: :slug, controller: "things", only: [:update]
  end
  mount Sidekiq::Web => "/sidekiq"
end
