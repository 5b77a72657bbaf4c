// tidy
