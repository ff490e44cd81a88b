// Results of ClickHouse, which those on D1 are compared with.

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
  'retention of first visits ever, by browser': [
    ['Week 0', [2, 0, 2]],
    ['Week 1', [0, 0]],
    ['Week 2', [0]],
    ['Week 0', [0, 0, 0]],
    ['Week 1', [1, 1]],
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
    ['purchase', 7, 282857.28571428574, 1800],
  ],
  'two visits in a row, and a purchase, whatever the order': [
    ['$pageview', 12, null, null],
    ['$pageview', 11, null, null],
    ['purchase', 7, null, null],
  ],
  'strictly one after the other': [
    ['$pageview', 12, null, null],
    ['$pageview', 7, 100291.42871428572, 30],
  ],
  'visits, first ones, by browsers of which two are none': [
    ['$pageview - Edge', [6]],
    ['$pageview - Firefox', [6]],
    ['$pageview - null', [24]],
    ['$pageview - Firefox', [2]],
    ['$pageview - Edge', [1]],
    ['$pageview - null', [6]],
  ],
  'from visit to purchase, by the browsers of the purchase': [
    [
      [null],
      [
        ['$pageview', 8, null, null],
        ['purchase', 7, 282857.28571428574, 1800],
      ],
    ],
  ],
  'from visit to purchase in any order, by the browsers of the first': [
    [
      [null],
      [
        ['$pageview', 9, null, null],
        ['purchase', 6, null, null],
      ],
    ],
    [
      ['Chrome'],
      [
        ['$pageview', 5, null, null],
        ['purchase', 4, null, null],
      ],
    ],
    [
      ['Firefox'],
      [
        ['$pageview', 3, null, null],
        ['purchase', 2, null, null],
      ],
    ],
    [
      ['Safari'],
      [
        ['$pageview', 3, null, null],
        ['purchase', 1, null, null],
      ],
    ],
    [
      ['Edge'],
      [
        ['$pageview', 1, null, null],
        ['purchase', 1, null, null],
      ],
    ],
  ],
  'from visit to purchase, by browsers of which two are none': [
    [
      [null],
      [
        ['$pageview', 8, null, null],
        ['purchase', 4, 47_400, 1050],
      ],
    ],
    [
      ['Firefox'],
      [
        ['$pageview', 3, null, null],
        ['purchase', 2, 594_600, 594_600],
      ],
    ],
    [
      ['Edge'],
      [
        ['$pageview', 1, null, null],
        ['purchase', 1, 601_201, 601_201],
      ],
    ],
  ],
  'duration of sessions, and active companies': [
    ['$pageview', [0, 3931, 18_908]],
    ['$pageview', [0, 165, 0.5]],
    ['$pageview', [0, 2, 2]],
  ],
  'from visit to purchase, by an expression': [
    ['$pageview', 9, null, null],
    ['purchase', 4, 28_575, 900],
  ],
  'twice in two days, cumulatively, by people and browsers': [
    ['$pageview', [4, 0, 0, 0, 0, 0, 0, 0, 0, 0]],
    ['$pageview', [4, 2, 1, 1, 0, 0, 0, 0, 0, 0]],
    ['$pageview', [3, 0, 0, 0, 0, 0, 0, 0, 0, 0]],
    ['$pageview', [3, 1, 0, 0, 0, 0, 0, 0, 0, 0]],
  ],
  'from visit to purchase, perhaps by a signup, without a click': [
    ['$pageview', 11, null, null],
    ['signup', 4, null, null],
    ['purchase', 7, 284_100.14285714284, 84_600],
  ],
  'days from visit to purchase': {
    bins: [
      [300, 5],
      [593_850, 1],
      [1_187_400, 1],
    ],
    average_conversion_time: 282_857.28571428574,
  },
  'purchases after visits, by month': [[undefined, [0, 62.5, 60]]],
  'paths between pages and events': [
    ['1_https://example.com', '2_https://example.com/pricing', 2, 1000],
    ['1_$autocapture', '2_https://example.com', 1, 0],
    ['1_Purchase', '2_purchase', 1, 0],
    ['1_https://example.com', '2_$autocapture', 1, 5000],
    ['1_https://example.com', '2_$feature_flag_called', 1, 60_000],
    ['1_https://example.com', '2_signup', 1, 600_000],
  ],
  'paths that lead to a purchase': [
    ['1_https://example.com', '2_$feature_flag_called', 2, 330_500],
    ['2_$feature_flag_called', '3_purchase', 2, 1_169_500],
    ['1_$feature_flag_called', '2_purchase', 1, 0],
    ['1_Purchase', '2_purchase', 1, 0],
    ['1_https://example.com', '2_signup', 1, 600_000],
    ['1_https://example.com/docs', '2_https://example.com/docs/api', 1, 1000],
    ['1_https://example.com/pricing', '2_$autocapture', 1, 60_000],
    ['1_https://example.com/pricing', '2_purchase', 1, 900_000],
    ['2_$autocapture', '3_purchase', 1, 240_000],
    ['2_https://example.com/docs/api', '3_purchase', 1, 900_000],
    ['2_signup', '3_purchase', 1, 300_000],
  ],
  'how often events happen': [
    ['$pageview', 33, 12],
    ['purchase', 16, 8],
    ['$feature_flag_called', 9, 5],
    ['signup', 7, 7],
    ['export', 6, 4],
    ['$autocapture', 4, 3],
  ],
  'web, compared with the twenty days before': [
    ['visitors', 10, 7],
    ['views', 22, 13],
    ['sessions', 17, 9],
    ['session duration', 1112.1764705882354, 420.1111111111111],
    ['bounce rate', 47.05882352941176, 33.33333333333333],
  ],
  'pages, with their bounce rate': [
    ['/', [9, null], [14, null], [0.4, null], 0.5625, ''],
    ['/pricing', [3, null], [5, null], [0.5, null], 0.1875, ''],
    ['/docs', [3, null], [3, null], [1, null], 0.1875, ''],
    ['/docs/api', [1, null], [1, null], [null, null], 0.0625, ''],
  ],
  'visit, signup and purchase in any order, without an export': [
    ['$pageview', 11, null, null],
    ['signup', 10, null, null],
    ['purchase', 4, null, null],
  ],
  'a purchase directly after a visit, and no other, by month': [
    [undefined, [0, 0, 50]],
    [undefined, [0, 0, 66.67]],
    [undefined, [0, 100, 0]],
  ],
  'visits by page, the two most': [
    ['https://example.com', [21]],
    ['https://example.com/pricing', [7]],
    ['Other', [8]],
  ],
  'paths from a page to a purchase': [
    ['1_https://example.com', '2_...', 3, 420_333.3333333333],
    ['2_...', '3_purchase', 3, 879_666.6666666666],
  ],
  'paths between groups of pages': [
    ['1_https://example.com', '2_$*', 4, 181_500],
    ['1_https://example.com', '2_https://*/pri', 4, 8000.25],
    ['2_$*', '3_purchase', 3, 859_666.6666666666],
    ['1_https://example.com', '2_signup', 2, 375_000],
    ['1_$*', '2_https://example.com', 1, 0],
    ['1_$*', '2_purchase', 1, 0],
  ],
  'people who paid more than once': [
    ['', true],
    ['CHLOE@Example.com', true],
    ['ada@example.com', true],
    ['ben@example.com', true],
    ['grace@navy.mil', true],
  ],
  'people with an email': [
    ['niaj@example.com', true],
    ['judy_100%@example.jp', true],
    ['grace@navy.mil', true],
  ],
  'retention by week and browser': [
    ['Week 0', [0, 0, 0]],
    ['Week 1', [1, 1]],
    ['Week 2', [2]],
    ['Week 0', [1, 1, 1]],
    ['Week 1', [1, 1]],
    ['Week 2', [1]],
    ['Week 0', [1, 0, 0]],
    ['Week 1', [2, 0]],
    ['Week 2', [0]],
    ['Week 0', [0, 0, 0]],
    ['Week 1', [2, 1]],
    ['Week 2', [1]],
    ['Week 0', [1, 0, 1]],
    ['Week 1', [0, 0]],
    ['Week 2', [1]],
    ['Week 0', [1, 0, 1]],
    ['Week 1', [0, 0]],
    ['Week 2', [1]],
    ['Week 0', [1, 0, 1]],
    ['Week 1', [0, 0]],
    ['Week 2', [1]],
  ],
  'retention of first visits, by browser': [
    ['Week 0', [2, 2, 2]],
    ['Week 1', [0, 0]],
    ['Week 2', [1]],
    ['Week 0', [0, 0, 0]],
    ['Week 1', [1, 1]],
    ['Week 2', [0]],
  ],
  'two weeks back from the end': [
    ['$pageview', [6, 4]],
    ['$pageview', [7, 0]],
  ],
  'active in a week, and within a month of it': [
    ['$pageview', [5, 6, 7]],
    ['$pageview', [9, 10, 12]],
  ],
}
