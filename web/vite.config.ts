/** Builds the web app into `dist/web`, which the server hands out; in development, hands the API on to a running server. */
import { resolve } from 'node:path'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

const server = process.env.CONVENE_URL ?? 'http://127.0.0.1:4747'

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), tailwindcss()],
  resolve: { alias: { 'rehype-raw': resolve(import.meta.dirname, 'src/ui/text/no-raw-html.ts') } },
  build: { outDir: '../dist/web', emptyOutDir: true, chunkSizeWarningLimit: 900 },
  server: {
    host: '127.0.0.1',
    proxy: {
      '/api': {
        target: server,
        changeOrigin: true,
        // The server answers only pages that came from itself.
        configure: (proxy) => proxy.on('proxyReq', (request) => request.setHeader('origin', server)),
      },
    },
  },
})
