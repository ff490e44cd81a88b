// Builds the console to src/public/console, which the Worker serves. `npm run dev` serves it with hot reload in front of the Worker.
import react from '@vitejs/plugin-react'
import { join } from 'node:path'
import { defineConfig, type Plugin } from 'vite'

const WORKER = process.env.HALYARD_URL ?? 'http://localhost:8787'

/** Returns whether the Worker serves a page of the console at a path. */
const isConsolePage = (path: string) => path === '/' || path.startsWith('/project/')

/** Responds to page requests with the console's document, in development. */
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
    // The content security policy allows no `data:` scripts or styles.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // All styles are in the document: those of a page that failed to load would not be requested again when its code is.
    cssCodeSplit: false,
    rolldownOptions: {
      // The first page loads one file. By default the bundler may put each part that a later page shares into its own file.
      output: { codeSplitting: { groups: [{ name: 'first', tags: ['$initial'] }] } },
    },
    reportCompressedSize: false,
  },
  server: {
    // The Worker serves everything except the console's own modules.
    proxy: { '^/(?!console/)': { target: WORKER, changeOrigin: false } },
  },
})
