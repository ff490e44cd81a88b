// What the reference says of bodies that hold nothing of their own.
import type { Words } from '../docs/words'

export const plainBodiesWords: Words = {
  schemas: {
    EmptyBody: {
      is: 'Nothing: the path says everything. Whatever is sent is ignored, and no body will do too.',
      example: {},
    },
    Success: {
      is: 'It worked.',
      fields: { success: 'Always true: what does not work is answered with an error.' },
      example: { success: true },
    },
  },
}
