// The options of `npm start`, as people type them.
import { describe, expect, it } from 'vitest'
import { parseStartOptions } from '../../../src/cli/serve/options'

describe('the port', () => {
  it.each<[string, string[], Record<string, string>, number]>([
    ['npm start', [], {}, 8787],
    ['npm start -- --port 9000', ['--port', '9000'], {}, 9000],
    ['npm start -- --port=0', ['--port=0'], {}, 0],
    ['npm start --port 9000', ['9000'], { npm_config_port: 'true' }, 9000],
    ['npm start --port=9000', [], { npm_config_port: '9000' }, 9000],
    ['PORT=9000 npm start', [], { PORT: '9000' }, 9000],
    ['PORT=9000 npm start -- --port 9001', ['--port', '9001'], { PORT: '9000' }, 9001],
    ['npm start, with settings of npm', [], { npm_config_prefix: '/usr', npm_config_proxy: 'x' }, 8787],
  ])('of `%s`', (_, args, env, port) => {
    expect(parseStartOptions(args, env)).toEqual({ port, renew: false })
  })
})

it.each<[string, string[], Record<string, string>, string]>([
  [
    'npm start -- --prot 9000',
    ['--prot', '9000'],
    {},
    "Unknown option '--prot'. For another port, type: npm start -- --port 9000",
  ],
  [
    'npm start --prot 9000',
    ['9000'],
    { npm_config_prot: 'true' },
    "Unknown option '--prot'. For another port, type: npm start -- --port 9000",
  ],
  [
    'npm start -- --renw',
    ['--renw'],
    {},
    "Unknown option '--renw'. For new credentials, type: npm start -- --renew",
  ],
  ['npm start 9000', ['9000'], {}, "Unexpected argument '9000'. For a port, type: npm start -- --port 9000"],
  ['npm start -- --port', ['--port'], {}, '--port must be a number from 0 to 65535, got ""'],
  ['PORT=http npm start', [], { PORT: 'http' }, 'PORT must be a number from 0 to 65535, got "http"'],
])('`%s` is answered with what to type', (_, args, env, message) => {
  expect(() => parseStartOptions(args, env)).toThrow(message)
})

it.each([
  [['--renew'], {}],
  [[], { npm_config_renew: 'true' }],
])('new credentials are asked for by %j %j', (args, env) => {
  expect(parseStartOptions(args, env)).toEqual({ port: 8787, renew: true })
})
