/** Tests what every page of ours promises: no scripts, no caching, no referrer, nothing unescaped. */
import { fastify } from 'fastify'
import { html } from 'ghtml'
import { expect, test } from 'vitest'
import { type Page, sendPage, sendRedirect, serveStyle } from './page.ts'

const PAGE: Page = { status: 410, title: 'Used', body: '<p>Go back.</p>' }

test('a page forbids everything but its style sheet, images of its origin and its form targets', async () => {
  const { headers } = await answerTo({ ...PAGE, formOrigins: ['https://bank.example'] })
  expect(headers['content-security-policy']).toBe(
    "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self' https://bank.example; frame-ancestors 'none'; base-uri 'none'",
  )
})

test('a page is never cached, and sends no referrer', async () => {
  const answer = await answerTo(PAGE)
  expect(answer.statusCode).toBe(410)
  expect(answer.headers).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
  })
  expect(answer.headers['refresh']).toBeUndefined()
})

test('a waiting page makes the browser reload', async () => {
  expect((await answerTo({ ...PAGE, refreshSeconds: 2 })).headers['refresh']).toBe('2')
})

test('user input is text on a page, never markup', async () => {
  const hostile = '<img src=x onerror=alert(1)>"\'&'
  const { body } = await answerTo({ ...PAGE, title: hostile, body: html`<p title="${hostile}">${hostile}</p>` })
  expect(body).not.toContain('<img')
  expect(body.match(/&#60;img/g)).toHaveLength(4)
})

test('a redirect is never cached, and sends no referrer; characters that a header cannot hold are encoded', async () => {
  const server = fastify()
  server.post('/', async (_request, reply) => sendRedirect(reply, "https://erp.example/å?a=%20'+b c\n\ud800#é"))
  const { statusCode, headers } = await server.inject({ method: 'POST', url: '/' })
  expect([statusCode, headers.location]).toEqual([303, "https://erp.example/%C3%A5?a=%20'+b%20c%0A%EF%BF%BD#%C3%A9"])
  expect(headers).toMatchObject({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })
})

test('the style sheet of the pages exists', async () => {
  const server = fastify()
  serveStyle(server)
  const [, path = ''] = /<link rel="stylesheet" href="([^"]+)">/.exec((await answerTo(PAGE)).body) ?? []
  const { statusCode, headers } = await server.inject(path)
  expect([statusCode, headers['content-type']]).toEqual([200, 'text/css; charset=utf-8'])
})

async function answerTo(page: Page) {
  const server = fastify()
  server.get('/', async (_request, reply) => sendPage(reply, page))
  return await server.inject('/')
}
