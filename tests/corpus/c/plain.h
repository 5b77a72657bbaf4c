#ifndef PLAIN_H
#define PLAIN_H
#ifdef __cplusplus
extern "C" {
#endif
/** Opens. */
int plain_open(const char *path);
typedef struct plain plain_t;
#ifdef __cplusplus
}
#endif
#endif
