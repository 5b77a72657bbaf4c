(ns shop.queue
  "Queues that keep their items in order."
  (:require [clojure.string :as str]
            [clojure.set :refer [union difference]]
            [shop.heap :refer :all]
            shop.log
            (shop.store memory [disk :as d]))
  (:use [clojure.test :only [is]])
  (:import (java.util Date UUID)
           java.io.File)
  (:gen-class))

;; The most that a queue may hold.
(def ^:const max-items 1024)
(def ^{:doc "Where queues are kept." :private true} registry (atom {}))
(defonce state (atom nil))
(declare grow)
(def ^:dynamic *limit* 10)

(defprotocol Container
  "Something that holds items."
  (push [this item] "Adds an item.")
  (size [this]))

(defrecord Queue [items limit]
  Container
  (push [this item]
    (update this :items conj item))
  (size [_] (count items)))

(deftype Cell [^:volatile-mutable value]
  Object
  (toString [_] (str value)))

(defn new-queue
  "Makes a queue."
  ([] (new-queue max-items))
  ([limit & {:keys [items owner] :or {items []} :as options}]
   (let [created (Date.)
         [head & tail] items
         {:keys [name] rank :rank} owner]
     (swap! registry assoc name created)
     (->Queue items limit))))

(defn- sift
  [items index]
  (loop [i index
         seen #{}]
    (when (pos? i)
      (recur (dec i) (conj seen (nth items i))))))

(defn ^String describe [q]
  (str/join ", " (map #(str "item " %) (:items q))))

(defmacro with-queue
  "Runs the body with a queue bound."
  [[name limit] & body]
  `(let [~name (new-queue ~limit)]
     ~@body))

(defmulti area :shape)
(defmethod area :circle [{:keys [radius]}]
  (* Math/PI radius radius))
(defmethod area :default [_] 0)

(extend-type String
  Container
  (push [this item] (str this item))
  (size [s] (.length s)))

(extend-protocol Container
  nil
  (push [_ item] [item])
  (size [_] 0))

(defn -main [& args]
  (let [q (new-queue 3)
        f (fn step [x] (if (zero? x) x (step (dec x))))]
    (doseq [a args
            :let [b (f a)]
            :when b]
      (push q b))
    (letfn [(helper [y] (* y 2))]
      (helper (size q)))
    (-> q (push 1) size)
    (try
      (d/save q)
      (catch Exception e
        (println (.getMessage e))))
    (Queue. [] 1)
    (reify Container
      (size [_] 1))
    (shop.log/info "done" #'registry 'max-items ::queue)))

(comment
  (push (new-queue 1) :a))

#_(defn ignored [] nil)

#?(:clj (defn host [] :jvm)
   :cljs (defn host [] :js))

(defschema Person {:name String})
(s/def ::limit pos-int?)
