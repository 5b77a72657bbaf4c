#pragma once
namespace x { class Forward; }
template<class T> T id(T t) { return t; }
