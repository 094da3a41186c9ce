import Icons from 'unplugin-icons/vite';
import { defineConfig } from 'vite';

/**
 * The server puts its own address in place of `__APP_BASE__`, and a new nonce in place of `__CSP_NONCE__`, in every
 * answer: the finished files work at any address, without inline styles or scripts that the policy does not know.
 */
export default defineConfig({
  base: './',
  html: { cspNonce: '__CSP_NONCE__' },
  esbuild: { jsx: 'automatic' },
  plugins: [Icons({ compiler: 'jsx', jsx: 'react' })],
  build: { target: 'es2023', outDir: 'dist', manifest: true, sourcemap: false, assetsInlineLimit: 0 },
  server: { proxy: { '/v1': process.env['BINDERY_URL'] ?? 'http://127.0.0.1:3000' } },
});
