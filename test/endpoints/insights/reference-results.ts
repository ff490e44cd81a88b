// What `agreed.ts` asks, answered by ClickHouse.

export const TOLD: Record<string, unknown> = {
  'visits by week': [['$pageview', [5, 11, 7]]],
  'people by day, by browser': [
    ['Chrome', [1, 1, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 1, 1, 0, 1, 1]],
    ['Edge', [1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]],
    ['Firefox', [0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0]],
    ['Safari', [0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1]],
  ],
  'active within a week': [['$pageview', [5, 5, 5, 5, 5, 5, 5, 4, 4, 4, 4, 4, 5, 6, 6, 6, 6, 5, 6, 8]]],
  'revenue a month, and its median': [
    ['purchase', [30.5, 364.99, 1322.24]],
    ['purchase', [15.25, 99.99, 60]],
    ['purchase', [1, 1, 1.1666666666666667]],
  ],
  'first visits': [['$pageview', [0, 6, 3]]],
  'first visits, of Chrome': [
    ['$pageview', [0, 1, 2]],
    ['$pageview', [0, 1, 3]],
  ],
  'visits, smoothed, and revenue in cents': [
    ['$pageview', [5, 8, 9]],
    ['purchase', [103_000, 58_862, 12_362]],
  ],
  'retention of those whose first visit was with Chrome': [
    ['Week 0', [2, 0, 2]],
    ['Week 1', [0, 0]],
    ['Week 2', [0]],
  ],
  'from the first visit, with Chrome, to another': [
    ['$pageview', 3, null, null],
    ['$pageview', 3, 1_033_200, 1_195_200],
  ],
  'from the first visit with Chrome to another': [
    ['$pageview', 4, null, null],
    ['$pageview', 3, 1_033_200, 1_195_200],
  ],
  'lifecycle by week': [
    ['$pageview - new', [2, 0, 0]],
    ['$pageview - returning', [2, 1, 4]],
    ['$pageview - resurrecting', [1, 5, 3]],
    ['$pageview - dormant', [-3, -4, -2]],
  ],
  'retention by week': [
    ['Week 0', [5, 1, 4]],
    ['Week 1', [6, 4]],
    ['Week 2', [7]],
  ],
  'from visit to purchase': [
    ['$pageview', 12, null, null],
    ['purchase', 7, 230207.32142857142, 43275],
  ],
  'two visits in a row, and a purchase, whatever the order': [
    ['$pageview', 12, null, null],
    ['$pageview', 11, null, null],
    ['purchase', 7, null, null],
  ],
  'strictly one after the other': [
    ['$pageview', 12, null, null],
    ['$pageview', 7, 159691.60714285713, 1800],
  ],
  'visits, first ones, by browsers of which two are none': [
    ['$pageview - Edge', [6]],
    ['$pageview - Firefox', [6]],
    ['$pageview - null', [24]],
    ['$pageview - Firefox', [2]],
    ['$pageview - Edge', [1]],
    ['$pageview - null', [6]],
  ],
  'from visit to purchase, by browsers of which two are none': [
    [
      [null],
      [
        ['$pageview', 9, null, null],
        ['purchase', 5, 203_100.25, 43_275],
      ],
    ],
    [
      ['Firefox'],
      [
        ['$pageview', 3, null, null],
        ['purchase', 2, 297_975, 297_975],
      ],
    ],
  ],
}
