(ns half.core)

(defn area [w h]
  (* w h))

(defn whole [x]
  (let [y (+ x 1]
    (inc y

(defn half [a
