package main

import (
	"net/http"

	"github.com/gin-gonic/gin"
	"github.com/go-chi/chi/v5"
	"github.com/gorilla/mux"
	"github.com/spf13/cobra"
)

const base = "/api"

func main() {
	r := gin.Default()
	r.GET("/ping", func(c *gin.Context) {})
	v1 := r.Group(base + "/v1")
	{
		v1.POST("/login", auth, Login)
		users.Register(v1.Group("/users"))
	}
	http.HandleFunc("/plain", plain)
	http.Handle("/files/", http.StripPrefix("/files/", files))
	m := http.NewServeMux()
	m.HandleFunc("GET /items/{id}", item)
	g := mux.NewRouter()
	s := g.PathPrefix("/sub").Subrouter()
	s.HandleFunc("/{key}", key).Methods("GET", http.MethodPut)
	client.Get("/not/a/route", nil)
}

func routes(c chi.Router) {
	c.Route("/articles", func(r chi.Router) {
		r.With(paginate).Get("/", list)
		r.Mount("/admin", adminRouter())
		r.Group(func(r chi.Router) {
			r.Delete("/{id}", drop)
		})
	})
}

func (h *Handler) Register(rg *gin.RouterGroup) {
	rg.Any("/any", h.Any)
	rg.Handle("PATCH", "/handled", h.Patch)
}

var rootCmd = &cobra.Command{Use: "tool"}

var serveCmd = &cobra.Command{
	Use:  "serve [dir]",
	RunE: serve,
}

func init() {
	rootCmd.AddCommand(serveCmd)
}

func newSync() *cobra.Command {
	cmd := &cobra.Command{Use: "sync", Run: func(cmd *cobra.Command, args []string) {}}
	return cmd
}
