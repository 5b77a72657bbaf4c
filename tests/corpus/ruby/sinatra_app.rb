require 'sinatra'

get '/hello/:name' do
  "hi"
end

post "/x/#{kind}" do
end

namespace :db do
  task :seed => :environment do
    run
  end
end

task default: :test
