// Builds the console to src/public/console, which the Worker serves. `npm run dev` serves it with hot reload in front of the Worker.
import react from '@vitejs/plugin-react'
import { join } from 'node:path'
import { defineConfig, type Plugin } from 'vite'

const WORKER = process.env.HALYARD_URL ?? 'http://localhost:8787'

/** Pages of the console, as the Worker knows them. */
const isConsolePage = (path: string) => path === '/' || path.startsWith('/project/')

/** In development, answers page requests with the console's document. */
const pages: Plugin = {
  name: 'console-pages',
  configureServer(server) {
    server.middlewares.use((request, _response, next) => {
      const path = (request.url ?? '').split('?')[0]!
      if (request.headers.accept?.includes('text/html') && isConsolePage(path))
        request.url = '/console/index.html'
      next()
    })
  },
}

export default defineConfig({
  root: import.meta.dirname,
  base: '/console/',
  plugins: [react(), pages],
  build: {
    outDir: join(import.meta.dirname, '../public/console'),
    emptyOutDir: true,
    target: 'es2023',
    // The policy allows no `data:` scripts or styles.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // The import has the rules of flags, which load part of themselves late in the Worker.
    rolldownOptions: {
      checks: { ineffectiveDynamicImport: false },
      // What the first page loads is one file: by itself the bundler may put each part that a later page shares into a file of its own.
      output: { codeSplitting: { groups: [{ name: 'first', tags: ['$initial'] }] } },
    },
    reportCompressedSize: false,
  },
  server: {
    // Everything but the console's own modules is the Worker's.
    proxy: { '^/(?!console/)': { target: WORKER, changeOrigin: false } },
  },
})
