/** Tests the documentation: it is complete, its links lead somewhere, and nothing on its pages is inline. */
import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { type FastifyInstance, fastify } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ERROR_CATALOGUE } from '../contract/errors/error-catalogue.ts'
import { OnboardingStatus, OnboardingStatusReason } from '../contract/onboarding.ts'
import type { Operation } from '../contract/operation.ts'
import { operations } from '../contract/operations.ts'
import sample from '../data/company-registry-sample.json' with { type: 'json' }
import type { DocsSettings } from './docs-settings.ts'
import { type DocsSite, openDocsSite } from './docs-site.ts'
import { snakeCase } from './examples/python-example.ts'
import { examplesOf } from './examples/request-example.ts'
import { adaptExample } from './guides/adapt-document.ts'
import { operationPath } from './operation-groups.ts'
import { serveDocsSite } from './routes.ts'

const SANDBOX: DocsSettings = {
  mode: 'sandbox',
  demo: true,
  baseUrl: 'http://127.0.0.1:9080',
  authUrl: 'http://127.0.0.1:9080',
  tokenRequestsPerMinute: 60,
  requestsPerSecond: 100,
  sandboxBankUrl: 'http://127.0.0.1:9081',
  sandboxXs2aUrl: 'http://127.0.0.1:9083',
  sandboxFxUrl: 'http://127.0.0.1:9095',
  sandboxIdentityControlUrl: 'http://127.0.0.1:9094',
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
  sandboxFxUrl: null,
  sandboxIdentityControlUrl: null,
  companyRegistries: { NO: 'brreg' },
}
const MODES = [
  ['sandbox', SANDBOX],
  ['production', PRODUCTION],
] as const
const TRANSFERRED_BYTES_MAX = 100_000
const all: readonly Operation[] = Object.values(operations)

let site: DocsSite
let production: DocsSite
beforeAll(async () => {
  site = await openDocsSite(SANDBOX)
  production = await openDocsSite(PRODUCTION)
})

/** The visible text, without markup. */
function textOf(markup: string): string {
  return markup
    .replaceAll(/<wbr>/g, '')
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/&#x?(\w+);|&(lt|gt|amp|quot);/g, (entity, code: string | undefined) =>
      code === undefined
        ? (ENTITIES[entity] ?? '')
        : String.fromCodePoint(Number(`${entity[2] === 'x' ? '0x' : ''}${code}`)),
    )
}
const ENTITIES: Readonly<Record<string, string>> = { '&lt;': '<', '&gt;': '>', '&amp;': '&', '&quot;': '"' }

const pageOf = (path: string, of = site) => of.page(path) ?? expect.fail(`There is no page ${path}`)
const idsOf = (page: string) => [...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)

/** The name of every field, at any depth, as often as it is declared. */
function namesIn(schema: unknown): readonly string[] {
  if (typeof schema !== 'object' || schema === null) {
    return []
  }
  const { properties, items, oneOf = [], anyOf = [] } = Object(schema)
  const members = Object.entries(Object(properties))
  return [
    ...members.flatMap(([name, member]) => [name, ...namesIn(member)]),
    ...namesIn(items),
    ...oneOf.flatMap(namesIn),
    // Branches without a type only say which fields are required together.
    ...anyOf.filter(({ type }: { readonly type?: string }) => type !== undefined).flatMap(namesIn),
  ]
}

/** Names that a section does not list as often as they are declared. */
function unlistedNames(markup: string, names: readonly string[]): readonly string[] {
  const listed = [...markup.matchAll(/<code class="name">([^<]+)<\/code>/g)].map(([, name = '']) => name)
  const count = (all: readonly string[], name: string) => all.filter((one) => one === name).length
  return [...new Set(names)].filter((name) => count(listed, name) < count(names, name))
}

test('every operation has a section with its description, path, fields, errors, authentication and examples', () => {
  for (const operation of all) {
    const { id, method, path, params, query, body, answer, admits, psu, idempotent } = operation
    const page = pageOf(operationPath(operation).split('#')[0] ?? '')
    const [, markup = ''] = new RegExp(`<section class="operation" id="${id}"(.*?)</section>`, 's').exec(page) ?? []
    const section = textOf(markup)
    const words = [
      operation.summary,
      `${method} ${path}`,
      ...[...operation.failures, ...operation.validation, ...operation.errorStatuses].map(String),
      'curl -s',
      ...(operation.destructive === undefined ? [] : [`Destructive. ${operation.destructive}`]),
      `havn.${id}(`,
      `havn.${snakeCase(id)}(`,
      `HttpMethod.${method.charAt(0)}${method.slice(1).toLowerCase()}`,
    ]
    const unlisted = unlistedNames(markup, [params, query, body, answer.schema].flatMap(namesIn))
    expect({ id, unlisted, missing: words.filter((word) => !section.includes(word)) }).toEqual({
      id,
      unlisted: [],
      missing: [],
    })
    const hasHeader = (header: string) => markup.includes(`<code class="name">${header}</code>`)
    expect([
      id,
      section.includes('no access token'),
      ...['consent-id', 'PSU-IP-Address', 'Idempotency-Key'].map(hasHeader),
    ]).toEqual([id, admits === 'anyone', admits === 'consent', psu !== 'none', idempotent])
  }
})

test('every example has a form that sends it in the sandbox, and none in production', () => {
  for (const operation of all) {
    const [path = ''] = operationPath(operation).split('#')
    const section = new RegExp(`<section class="operation" id="${operation.id}"(.*?)</section>`, 's').exec(pageOf(path))
    const requests = [...(section?.[1] ?? '').matchAll(/class="try-it" hidden data-request="([^"]*)"/g)].map(
      ([, text = '']) => JSON.parse(textOf(text)),
    )
    expect(requests.map(({ method }) => method)).toEqual(examplesOf(operation).map(() => operation.method))
    expect(requests.every(({ destructive }) => destructive === operation.destructive)).toBe(true)
    expect(requests.every(({ headers }) => headers.Prefer === 'errors=detailed')).toBe(true)
    expect(operation.sandboxOnly ? '' : pageOf(path, production)).not.toContain('try-it')
  }
})

test('every error code has an anchor, its meaning, its usual cause and what to do', () => {
  const page = pageOf('/docs/errors')
  for (const [code, { meaning, cause, action, statuses }] of Object.entries(ERROR_CATALOGUE)) {
    const [, section = ''] = new RegExp(`<section class="error" id="${code}"(.*?)</section>`, 's').exec(page) ?? []
    const text = textOf(section)
    const missing = [code, meaning, cause, action, ...statuses.map(String)].filter((part) => !text.includes(part))
    expect({ code, missing }).toEqual({ code, missing: [] })
  }
})

test('the onboarding guide explains every status and reason, and lists the sandbox companies with their outcomes', async () => {
  const guide = pageOf('/docs/guides/onboarding')
  const text = textOf(guide)
  const names = [...OnboardingStatus.enum, ...OnboardingStatusReason.enum]
  expect(names.filter((name) => !text.includes(name))).toEqual([])
  const rows = guide.split('<tr>').map(textOf)
  for (const { organisationNumber, script } of [...sample.companies, ...sample.absent]) {
    const [row = '', ...others] = rows.filter((one) => one.includes(organisationNumber) && one.includes(script.about))
    expect([row.includes(script.status), row.includes(script.statusReason ?? ''), others]).toEqual([true, true, []])
  }
  expect(guide).toContain('&lt;script&gt;alert')
  const norway = await openDocsSite({ ...SANDBOX, companyRegistries: { NO: 'sample' } })
  const ofNorway = pageOf('/docs/guides/onboarding', norway)
  expect([ofNorway.includes('987654406'), ofNorway.includes('5599901104')]).toEqual([true, false])
  expect(pageOf('/docs/guides/onboarding', production)).not.toMatch(/987654406|andbox/)
})

test.each(MODES)('no link of the %s leads nowhere, and no id is ambiguous', (mode) => {
  const of = mode === 'sandbox' ? site : production
  const idsByPath = new Map(of.paths.map((path) => [path, idsOf(pageOf(path, of))]))
  const others =
    /^\/(openapi\.json|llms\.txt|docs\/assets\/.*|assets\/favicon\.svg|docs\/search|docs\/havn\.postman_collection\.json)$/
  for (const [path, ids] of idsByPath) {
    expect([path, ids.toSorted()]).toEqual([path, [...new Set(ids)].toSorted()])
    const links = [...pageOf(path, of).matchAll(/(?:href|action)="([^"]+)"/g)].map(([, link = '']) => link)
    const broken = links.filter((link) => {
      const [target = '', anchor] = link.split('#')
      const found = idsByPath.get(target === '' ? path : target)
      const leads = found !== undefined && (anchor === undefined || anchor === 'closed' || found.includes(anchor))
      return !leads && !others.test(target) && !/^https?:/.test(link)
    })
    expect([path, broken]).toEqual([path, []])
  }
})

test('the changelog says of the newest version in at most 120 lines what partners and operators have to know', () => {
  const [, newest = ''] = readFileSync(new URL('../CHANGELOG.md', import.meta.url), 'utf8').split(/^(?=## )/m)
  expect(newest.trimEnd().split('\n').length).toBeLessThanOrEqual(120)
})

test('the production documentation has the URLs and scope of production, and nothing of the sandbox', () => {
  const text = production.paths
    .filter((path) => path !== '/docs/changelog')
    .map((path) => textOf(pageOf(path, production)))
    .join('\n')
  expect(text).toContain('https://api.havn.example')
  expect(text).toContain('https://auth.havn.example/v2/connect/token')
  expect(text).toContain('1f115cad-5576-4db9-a7f9-8921c47a86e4')
  expect(text).not.toMatch(
    /(?<!for example api:\/\/)ac0d1aea-5e3a|Move the sandbox clock|127\.0\.0\.1:(8080|808[13])|client_id=demo-partner\b/,
  )
  expect(production.page('/docs/sandbox')).toBeUndefined()
})

test('a sandbox has its own URLs, and without the demo partner no public credentials', async () => {
  const without = await openDocsSite({ ...SANDBOX, demo: false })
  expect(textOf(pageOf('/docs/guides/authentication'))).toContain('client_id=demo-partner')
  expect(textOf(pageOf('/docs/guides/authentication', without))).not.toContain('demo-partner')
  expect(pageOf('/docs/sandbox')).toContain('http://127.0.0.1:9081')
  expect(pageOf('/docs/sandbox')).not.toMatch(/127\.0\.0\.1:8[0-9]{3}/)
  const exchanged = { ...SANDBOX, baseUrl: 'http://127.0.0.1:8081', sandboxBankUrl: 'http://127.0.0.1:8080' }
  const adapted = adaptExample('http://127.0.0.1:8080/docs http://127.0.0.1:8081/accounts', exchanged)
  expect(adapted).toBe('http://127.0.0.1:8081/docs http://127.0.0.1:8080/accounts')
})

describe.each(MODES)('the pages of the %s', (_mode, place) => {
  let server: FastifyInstance
  beforeAll(() => {
    server = fastify()
    serveDocsSite(server, place, { now: () => Temporal.Now.instant() })
  })
  afterAll(() => server.close())
  const get = (url: string) => server.inject({ url, headers: { 'accept-encoding': 'gzip' } })

  test('may be cached, load only files of this server, and transfer less than 100 kB', async () => {
    const ofPage = /<(?:link rel="stylesheet" href|script type="module" src)="([^"]+)"/g
    const { paths } = place.mode === 'sandbox' ? site : production
    const known = new Map<string, Promise<{ readonly statusCode: number; readonly rawPayload: Buffer }>>()
    for (const path of paths) {
      const { statusCode, headers, rawPayload } = await get(path)
      const body = gunzipSync(rawPayload).toString()
      expect([path, statusCode]).toEqual([path, 200])
      expect(headers).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'public, max-age=300',
        'x-content-type-options': 'nosniff',
        'content-security-policy':
          "default-src 'none'; style-src 'self'; img-src 'self'; script-src 'self'; connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
      })
      const markup = body.replaceAll(/<script type="module" src="\/docs\/assets\/[\w-]+\.mjs"><\/script>/g, '')
      expect(markup).not.toMatch(/<script|<style|\sstyle=|\son[a-z]+=|<img|javascript:|>undefined<|\[object/)
      const names = [...body.matchAll(ofPage)].map(([, file = '']) => file)
      const files = await Promise.all(names.map((name) => known.getOrInsertComputed(name, get)))
      expect(files.map((file) => file.statusCode)).toEqual(files.map(() => 200))
      const bytes = [rawPayload, ...files.map((file) => file.rawPayload)].reduce((sum, { length }) => sum + length, 0)
      expect(bytes).toBeLessThan(TRANSFERRED_BYTES_MAX)
    }
    const rejecting = await server.inject({ url: '/docs', headers: { 'accept-encoding': 'gzip;q=0' } })
    expect(rejecting.headers).not.toHaveProperty('content-encoding')
  })

  test('are found by search, in browsers without scripts too', async () => {
    const { body, headers } = await get('/docs/search?q=InvalidDueDate')
    expect(body).toContain('href="/docs/errors#InvalidDueDate"')
    expect(headers['cache-control']).toBe('no-store')
    for (const [query, path] of [
      ['initiate payment', '/docs/reference/payments#initiateDomesticPayment'],
      ['initiateDomesticPayment', '/docs/reference/payments#initiateDomesticPayment'],
      ['endToEndId', '/docs/reference/payments#initiateDomesticPayment'],
      ['/api/v2/consents', '/docs/reference/consents#createConsent'],
      ['salaries', '/docs/guides/payroll'],
      ['idempotncy', '/docs/guides/safe-retries'],
    ]) {
      const { body: page } = await get(`/docs/search?q=${encodeURIComponent(query ?? '')}`)
      expect([query, page.includes(`<a href="${path}`)]).toEqual([query, true])
    }
    const hostile = await get(`/docs/search?q=${encodeURIComponent('"><script>alert(1)</script>')}`)
    expect(hostile.body).not.toContain('<script>alert')
    expect((await get('/docs/search')).statusCode).toBe(200)
    expect((await get('/docs/search?q=a&q=b')).statusCode).toBe(200)
    expect((await get('/docs/assets/search-index.json')).rawPayload.length).toBeLessThan(TRANSFERRED_BYTES_MAX)
  })

  test('have an answer for every address', async () => {
    expect((await get('/docs/')).headers.location).toBe('/docs')
    const missing = await get('/docs/guides/nothing')
    expect([missing.statusCode, missing.body.includes('Page not found')]).toEqual([404, true])
    for (const path of ['/docs', '/docs/errors']) {
      expect((await get(`${path}/`)).headers.location).toBe(path)
    }
    const unserved: string[] = []
    for (const file of (place.mode === 'sandbox' ? site : production).paths.filter((path) => /guides/.test(path))) {
      const { body } = await server.inject(`${file}.md`)
      for (const [, href = ''] of body.matchAll(/\]\(([^()\s]+)\)/g)) {
        const { origin, pathname } = new URL(href, `http://docs.example${file}.md`)
        const isServed = origin !== 'http://docs.example' || (await server.inject(pathname)).statusCode === 200
        unserved.push(...(isServed ? [] : [`${file}.md: ${href}`]))
      }
    }
    expect(unserved).toEqual([])
    const markdown = await server.inject('/docs/guides/payroll.md')
    expect(markdown.headers['content-type']).toBe('text/markdown; charset=utf-8')
    expect(markdown.body).toMatch(/^# Paying salaries/)
    const { body } = await server.inject('/llms.txt')
    const missingIds = all
      .filter(({ sandboxOnly }) => place.mode === 'sandbox' || !sandboxOnly)
      .filter(({ id, destructive = '' }) => !body.includes(`[${id}](`) || !body.includes(destructive))
    expect(missingIds).toEqual([])
    expect(body).toContain(`${place.baseUrl}/docs/guides/first-payment.md`)
  })
})
