/** Tests the API reference: it is complete, its examples are right, and it has no scripts. */
import { execFile } from 'node:child_process'
import { createHmac, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import fc from 'fast-check'
import { type FastifyInstance, fastify } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { FAILURE_CODES, VALIDATION_CODES } from '../contract/errors/error-codes.ts'
import type { Operation } from '../contract/operation.ts'
import { operations } from '../contract/operations.ts'
import { apiReferencePage } from './api-reference-page.ts'
import type { DocsSettings } from './guides/guide.ts'
import { VERIFICATION } from './guides/webhook-guide.ts'
import { type CodeLanguage, highlight } from './highlight.ts'
import { renderInlineCode } from './inline-code.ts'
import { examplesOf, renderCurl, renderSdkCall } from './request-example.ts'
import { serveDocsSite } from './routes.ts'

const SANDBOX: DocsSettings = {
  mode: 'sandbox',
  demo: true,
  baseUrl: 'http://127.0.0.1:8080',
  authUrl: 'http://127.0.0.1:8080',
  tokenRequestsPerMinute: 60,
  requestsPerSecond: 100,
  sandboxBankUrl: 'http://127.0.0.1:9081',
  sandboxXs2aUrl: 'http://127.0.0.1:9083',
  companyRegistries: { NO: 'sample', SE: 'sample', DK: 'sample', FI: 'sample' },
}
const PRODUCTION: DocsSettings = {
  ...SANDBOX,
  mode: 'production',
  demo: false,
  baseUrl: 'https://api.havn.example',
  authUrl: 'https://auth.havn.example',
  sandboxBankUrl: null,
  sandboxXs2aUrl: null,
  companyRegistries: {},
}
const all: readonly Operation[] = Object.values(operations)
const page = apiReferencePage(SANDBOX)

/** The visible text, without markup. */
function textOf(markup: string): string {
  return markup
    .replaceAll(/<wbr>/g, '')
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)))
}

function sectionOf({ id }: Operation): string {
  const [, section = ''] = new RegExp(`<section class="operation" id="${id}">(.*?)</section>`, 's').exec(page) ?? []
  return section
}

/** The name of every field, at any depth. */
function namesIn(schema: unknown): readonly string[] {
  if (typeof schema !== 'object' || schema === null) {
    return []
  }
  const { properties, items, oneOf } = Object(schema)
  const members = Object.entries(Object(properties))
  return [
    ...members.flatMap(([name, member]) => [name, ...namesIn(member)]),
    ...namesIn(items),
    ...[oneOf ?? []].flat().flatMap(namesIn),
  ]
}

describe.each(all.map((operation) => [operation.id, operation] as const))('%s', (_id, operation) => {
  const markup = sectionOf(operation)
  const section = textOf(markup)

  test('is documented with its description, path, and every field of its request and response', () => {
    expect(section).toContain(operation.summary)
    expect(section).toContain(`${operation.method} ${operation.path}`)
    const { params, query, body, answer } = operation
    for (const name of [params, query, body, answer.schema].flatMap(namesIn)) {
      expect(section).toContain(name)
    }
  })

  test('lists every code and status of its errors', () => {
    for (const word of [...operation.failures, ...operation.validation, ...operation.errorStatuses.map(String)]) {
      expect(section).toContain(word)
    }
  })

  test('documents its authentication and headers', () => {
    const { admits, psu, idempotent } = operation
    expect(section.includes('no access token')).toBe(admits === 'anyone')
    const takes = (header: string) => markup.includes(`<code class="name">${header}</code>`)
    expect(takes('consent-id')).toBe(admits === 'consent')
    expect(takes('PSU-IP-Address')).toBe(psu !== 'none')
    expect(takes('Idempotency-Key')).toBe(idempotent)
  })

  test('shows the SDK call', async () => {
    for (const example of examplesOf(operation)) {
      const calls: unknown[][] = []
      const havn = { [operation.id]: (...input: unknown[]) => calls.push(input) }
      await Object.getPrototypeOf(async () => undefined).constructor('havn', renderSdkCall(operation, example))(havn)
      const { params, query, body } = Object(calls[0]?.[0])
      expect({ params: { ...params }, query: { ...query }, body }).toEqual({
        params: example.params,
        query: example.query,
        body: example.body,
      })
    }
  })
})

describe('the commands', () => {
  type Received = { method: string; url: string; headers: Record<string, unknown>; body: string }
  const received: Received[] = []
  let server: FastifyInstance
  let address: string
  beforeAll(async () => {
    server = fastify()
    server.removeAllContentTypeParsers()
    server.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body))
    server.all('/*', async ({ method, url, headers, body }) => {
      received.push({ method, url, headers, body: String(body ?? '') })
      return {}
    })
    address = await server.listen({ host: '127.0.0.1', port: 0 })
  })
  afterAll(() => server.close())

  test.each(all.map((operation) => [operation.id, operation] as const))(
    'of %s sends the example, as parsed by a shell',
    async (_id, operation) => {
      for (const example of examplesOf(operation)) {
        const env = { PATH: process.env['PATH'], HAVN: address, TOKEN: 'the-token' }
        await promisify(execFile)('bash', ['-c', renderCurl(operation, example)], { env })
        const got = received.at(-1)
        const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(example.params[name]))
        const url = new URL(got?.url ?? '', address)
        expect([got?.method, url.pathname]).toEqual([operation.method, path])
        expect(Object.fromEntries(url.searchParams)).toEqual(
          Object.fromEntries(Object.entries(example.query).map(([name, value]) => [name, String(value)])),
        )
        expect(got?.headers['authorization']).toBe(operation.admits === 'anyone' ? undefined : 'Bearer the-token')
        expect(got?.headers['consent-id'] !== undefined).toBe(operation.admits === 'consent')
        expect(got?.headers['psu-ip-address'] !== undefined).toBe(operation.psu === 'required')
        if (example.body !== undefined) {
          const isForm = operation.bodyType === 'form'
          const sent = isForm ? Object.fromEntries(new URLSearchParams(got?.body)) : JSON.parse(got?.body ?? '')
          expect(sent).toEqual(example.body)
        }
      }
    },
  )
})

describe('the page', () => {
  test('explains every code, in one place', () => {
    const [, guide = ''] = /<section class="guide" id="errors">(.*?)<\/section>/s.exec(page) ?? []
    for (const code of [...FAILURE_CODES, ...VALIDATION_CODES]) {
      expect(textOf(guide)).toContain(code)
    }
  })

  test('has no broken or ambiguous links, and links every operation in its contents', () => {
    const ids = [...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)
    expect(ids.toSorted()).toEqual([...new Set(ids)].toSorted())
    const links = [...page.matchAll(/href="#([^"]+)"/g)].map(([, id = '']) => id).filter((id) => id !== 'closed')
    expect(links.filter((id) => !ids.includes(id))).toEqual([])
    const [, map = ''] = /<nav id="contents"(.*?)<\/nav>/s.exec(page) ?? []
    expect(all.filter(({ id }) => !map.includes(`href="#${id}"`))).toEqual([])
  })

  test.each([
    ['sandbox', SANDBOX],
    ['production', PRODUCTION],
  ] as const)('in %s mode has no scripts or external resources, and may be cached', async (_mode, place) => {
    const server = fastify()
    await serveDocsSite(server, place)
    const { statusCode, headers, body } = await server.inject('/docs')
    expect(statusCode).toBe(200)
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'public, max-age=300',
      'x-content-type-options': 'nosniff',
    })
    expect(headers['content-security-policy']).toBe(
      "default-src 'none'; style-src 'self'; form-action 'none'; frame-ancestors 'none'; base-uri 'none'",
    )
    expect(body).not.toMatch(/<script|<style|\sstyle=|\son[a-z]+=|<form|<img|javascript:|undefined|\[object/)
    const [, style = ''] = /<link rel="stylesheet" href="([^"]+)">/.exec(body) ?? []
    const sheet = await server.inject(style)
    expect(sheet.headers['content-type']).toBe('text/css; charset=utf-8')
    expect(sheet.body).not.toMatch(/url\(|@import/)
    expect((await server.inject('/docs/')).headers.location).toBe('/docs')
    expect((await server.inject('/')).headers.location).toBe('/docs')
    expect((await server.inject('/docs/sandbox')).statusCode).toBe(place.mode === 'sandbox' ? 200 : 404)
    await server.close()
  })

  test('in production has the URLs and scope of production, and no sandbox operations', () => {
    const text = textOf(apiReferencePage(PRODUCTION))
    expect(text).toContain('https://api.havn.example')
    expect(text).toContain('https://auth.havn.example/v2/connect/token')
    expect(text).toContain('1f115cad-5576-4db9-a7f9-8921c47a86e4')
    expect(text).not.toMatch(/Fjordbanken FJORNO22|Move the sandbox clock|127\.0\.0\.1:9081/)
    const [, guide = ''] =
      /<section class="guide" id="authentication">(.*?)<\/section>/s.exec(apiReferencePage(PRODUCTION)) ?? []
    expect(guide).not.toContain('demo-partner')
  })

  test('in a sandbox without the demo partner shows no public credentials', () => {
    const [, guide = ''] =
      /<section class="guide" id="authentication">(.*?)<\/section>/s.exec(
        apiReferencePage({ ...SANDBOX, demo: false }),
      ) ?? []
    expect(guide).not.toContain('demo-partner')
  })

  test('in the sandbox lists every bank and company', () => {
    for (const word of ['Mälarbanken', 'MALBSESS', 'Aurajoen Pankki', 'Nordstjernen Handel ApS', '9900110-9']) {
      expect(page).toContain(word)
    }
  })
})

describe('the check of a webhook’s signature', () => {
  const body = Buffer.from('{"name":"Blåbær"}')
  const isGenuine = async (headers: object) => {
    const source = VERIFICATION.replace(/^import .*$/m, '')
    const check = new Function('createHmac', 'timingSafeEqual', `${source}; return isGenuine`)(
      createHmac,
      timingSafeEqual,
    )
    return check({ headers, body }, 'the secret', now())
  }
  const signed = (timestamp: number) => ({
    'x-svc-webhook-timestamp': String(timestamp),
    'x-svc-webhook-signature': `v1=${createHmac('sha256', 'the secret').update(`${timestamp}.`).update(body).digest('hex')}`,
  })
  const now = () => 1_795_000_000

  test('accepts a fresh signature, and rejects old, forged, truncated or missing ones', async () => {
    expect(await isGenuine(signed(now()))).toBe(true)
    expect(await isGenuine(signed(now() - 3600))).toBe(false)
    expect(await isGenuine({ ...signed(now()), 'x-svc-webhook-signature': `v1=${'0'.repeat(64)}` })).toBe(false)
    expect(await isGenuine({ ...signed(now()), 'x-svc-webhook-signature': 'v1=' })).toBe(false)
    expect(await isGenuine({})).toBe(false)
  })
})

describe('markup', () => {
  const hostile = fc.string({
    unit: fc.constantFrom('<', '>', '"', "'", '`', '&', '{', '}', ':', '#', '-', 'a', '1', '\n', ' ', '\\'),
  })

  test('of code preserves its text', () => {
    fc.assert(
      fc.property(hostile, fc.constantFrom<CodeLanguage>('json', 'shell', 'typescript'), (text, language) => {
        const marked = highlight(text, language)
        expect(textOf(marked)).toBe(text)
        expect(marked.replaceAll(/<span class="(key|text|literal|remark|word)">|<\/span>/g, '')).not.toMatch(/[<>]/)
      }),
      { numRuns: 2000 },
    )
  })

  test('of texts escapes HTML, and renders text in back quotes as code', () => {
    expect(renderInlineCode('a `<b>` & <i>')).toBe('a <code>&#60;b&#62;</code> &#38; &#60;i&#62;')
    fc.assert(
      fc.property(hostile, (text) => {
        expect(textOf(renderInlineCode(text))).toBe(text.replaceAll('`', ''))
      }),
    )
  })
})
