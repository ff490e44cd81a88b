// Responses that are not JSON, by operation id.
export const OTHER_MEDIA: Readonly<Record<string, [type: string, example: string]>> = {
  users_two_factor_qr_retrieve: [
    'image/svg+xml',
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 45 45">…</svg>',
  ],
}
