/* The search of tactical/search/loops.py (buckets, stencil only) in C: what the machine could do. */
#include <stdint.h>

typedef struct { uint32_t node, from, slot, next; } entry;

#define NONE UINT32_MAX

#define SEARCH(NAME, WEIGHT)                                                                                          \
uint32_t NAME(const WEIGHT *restrict weight, const int64_t *restrict offset, uint32_t cells, uint32_t layers,         \
              uint32_t slots, uint32_t budget, uint32_t target, uint32_t source, uint32_t mask,                       \
              uint32_t *restrict dist, entry *restrict entries, uint32_t *restrict head, uint32_t *restrict tail,     \
              uint32_t *restrict out_node, uint32_t *restrict out_cost, uint32_t *restrict out_from,                  \
              uint32_t *restrict out_slot)                                                                            \
{                                                                                                                     \
    uint32_t top = 1, settled = 0, popped = 0, d = 0, stop = 0;                                                       \
    dist[source] = 0;                                                                                                 \
    entries[0] = (entry){source, NONE, NONE, NONE};                                                                   \
    head[0] = tail[0] = 0;                                                                                            \
    for (; popped < top && !stop; d++) {                                                                              \
        uint32_t e = head[d & mask];                                                                                  \
        for (; e != NONE; e = entries[e].next) {                                                                      \
            popped++;                                                                                                 \
            const uint32_t v = entries[e].node;                                                                       \
            if (dist[v] != d) continue;                                                                               \
            const uint32_t here = settled++;                                                                          \
            out_node[here] = v; out_cost[here] = d; out_from[here] = entries[e].from; out_slot[here] = entries[e].slot;\
            if (v == target) { stop = 1; break; }                                                                     \
            const int64_t *row = offset + (layers > 1 ? v / cells * slots : 0);                                       \
            const WEIGHT *w = weight + (uint64_t)v * slots;                                                           \
            for (uint32_t k = 0; k < slots; k++) {                                                                    \
                if (!w[k]) continue;                                                                                  \
                const uint32_t nd = d + w[k] - 1;                                                                     \
                if (nd > budget) continue;                                                                            \
                const uint32_t t = (uint32_t)(v + row[k]);                                                            \
                if (nd >= dist[t]) continue;                                                                          \
                dist[t] = nd;                                                                                         \
                entries[top] = (entry){t, here, k, NONE};                                                             \
                const uint32_t b = nd & mask;                                                                         \
                if (head[b] == NONE) head[b] = top; else entries[tail[b]].next = top;                                 \
                tail[b] = top++;                                                                                      \
            }                                                                                                         \
        }                                                                                                             \
        head[d & mask] = NONE;                                                                                        \
    }                                                                                                                 \
    for (uint32_t i = 0; i < top; i++) dist[entries[i].node] = NONE;                                                  \
    if (stop) for (uint32_t i = 0; i <= mask; i++) head[i] = NONE;                                                    \
    return settled;                                                                                                   \
}

SEARCH(search8, uint8_t)
SEARCH(search16, uint16_t)

/* many sources in one call, so that the price of calling from Python is not measured; each answer overwrites the last */
#define MANY(NAME, ONE, WEIGHT)                                                                                       \
uint64_t NAME(const uint32_t *sources, uint32_t count, const WEIGHT *weight, const int64_t *offset, uint32_t cells,   \
              uint32_t layers, uint32_t slots, uint32_t budget, uint32_t target, uint32_t mask, uint32_t *dist,       \
              entry *entries, uint32_t *head, uint32_t *tail, uint32_t *out_node, uint32_t *out_cost,                 \
              uint32_t *out_from, uint32_t *out_slot)                                                                 \
{                                                                                                                     \
    uint64_t sum = 0;                                                                                                 \
    for (uint32_t i = 0; i < count; i++)                                                                              \
        sum += ONE(weight, offset, cells, layers, slots, budget, target, sources[i], mask, dist, entries, head, tail, \
                   out_node, out_cost, out_from, out_slot);                                                           \
    return sum;                                                                                                       \
}

MANY(many8, search8, uint8_t)
MANY(many16, search16, uint16_t)
