#!/usr/bin/env bb
(ns shop.queue-test
  (:require [clojure.test :refer [deftest is testing use-fixtures]]
            [shop.queue :as q]))

(use-fixtures :each (fn [f] (f)))

(deftest pushes-items
  (testing "adds one"
    (is (= 1 (q/size (q/push (q/new-queue) :a))))))

(deftest ^:integration saves
  (is (nil? nil)))
