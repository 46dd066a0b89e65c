/** Tests the request log of the console: filters, pages, each request, and who may see it. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createPartner } from '../../gateway/auth/create-partner.ts'
import { newId } from '../../gateway/platform/ids.ts'
import type { LoggedRequest } from '../../gateway/request-log/logged-request.ts'
import { ALL_PARTNERS, readRequestLogVersions } from '../../gateway/request-log/request-figures.ts'
import { livePathOf, nextPathOf, signInAs, textOf, titleOf } from '../../gateway/testing/console/console-user.ts'
import { openLiveStream } from '../../gateway/testing/console/live-stream.ts'
import { storePayments } from '../../gateway/testing/console/stored-payments.ts'
import { REJECTED_REQUEST, storeRequests } from '../../gateway/testing/console/stored-requests.ts'
import { startTestGateway, type TestGateway } from '../../gateway/testing/gateway/test-gateway.ts'
import { demoPartnerId } from '../../gateway/testing/webhooks/enqueue-status-change.ts'
import { curlCommand } from './curl-command.ts'
import { rejectionsIn } from './request-page.ts'

let gateway: TestGateway
let partnerId: string
beforeAll(async () => {
  gateway = await startTestGateway()
  partnerId = await demoPartnerId(gateway)
})
afterAll(() => gateway.close())

const store = (...changes: Partial<LoggedRequest>[]) => storeRequests(gateway, partnerId, changes)
const open = async (path: string, role: Parameters<typeof signInAs>[1] = 'partner-developer') =>
  await (await signInAs(gateway, role)).open(path)

describe('the list', () => {
  it('shows what the filters match, page by page, and as CSV', async () => {
    const [other = ''] = await store(
      { path: '/api/listed/other', status: 404, method: 'GET' },
      ...Array.from({ length: 60 }, (_, n) => ({ path: `/api/listed/${n}` })),
    )
    const browser = await signInAs(gateway, 'partner-developer')
    const seen: string[] = []
    for (let path: string | undefined = '/console/requests?path=/api/listed/&status=2xx'; path !== undefined; ) {
      const page = await browser.open(path)
      seen.push(...[...page.html.matchAll(/POST (\/api\/listed\/\d+)/g)].map(([, found = '']) => found))
      path = nextPathOf(page)
    }
    expect([seen.length, new Set(seen).size, seen[0]]).toEqual([60, 60, '/api/listed/59'])
    expect(textOf(await browser.open(`/console/requests?id=${other}`))).toMatch(/GET \/api\/listed\/other 404/)
    const { html: csv } = await browser.open('/console/requests.csv?method=GET&path=/api/listed/')
    expect(csv.trim().split('\r\n')).toHaveLength(2)
    expect(csv).toContain(`,${other},GET,/api/listed/other,404,`)
  })

  it.each([
    ['status=3xx', 'Choose one of the statuses'],
    ['method=PUT', 'Choose one of the values'],
    ['path=payments', 'Begin with a slash'],
    ['code=a%20b', 'Not an error code'],
    ['id=1', 'Not an id'],
    ['from=2026-13-01T00:00', 'Not a time'],
    ['from=2026-11-25T14:05&to=2026-11-25T14:05', 'Not after the start'],
  ])('with %s shows the error next to its field, and no row', async (query, message) => {
    const page = await open(`/console/requests?${query}`)
    expect([page.status, textOf(page)]).toEqual([422, expect.stringContaining(message)])
    expect(textOf(page)).toContain('Correct the filters')
  })

  it('searches a part of a long log, and says where it goes on', async () => {
    const { partner } = await createPartner(gateway.context, 'test', { name: 'Busy' })
    await gateway.context.database.pool.query(
      `insert into request_log select $1, uuidv7(), 'x', 'GET', case when n = 1 then '/rare' else '/often' end, 200, 1,
         false, null, null, null, null, '{}', null, null, 0 from generate_series(1, 5010) n`,
      [partner.id],
    )
    const browser = await signInAs(gateway, 'operator-reader')
    const first = await browser.open(`/console/requests?partner=${partner.id}&path=/rare`)
    expect(textOf(first)).toMatch(/none in the part that was searched\. Searched back to \d/)
    expect(textOf(await browser.open(nextPathOf(first) ?? ''))).toContain('GET /rare')
  })
})

describe('the tail', () => {
  it('shows requests as they come, those that the filters match, of the user’s partner or of all', async () => {
    const developer = await signInAs(gateway, 'partner-developer')
    const page = await developer.open('/console/requests/tail?status=4xx&path=/api/tail/')
    expect(textOf(page)).toContain('None yet')
    const stream = await openLiveStream(gateway.url + livePathOf(page), developer.cookies())
    expect(await stream.next()).toContain('None yet')
    const versions = (subjects: readonly string[]) => readRequestLogVersions(gateway.context.database, subjects)
    const before = await versions([ALL_PARTNERS, partnerId, newId()])
    await store({ path: '/api/tail/rejected', status: 422 }, { path: '/api/tail/accepted' })
    const part = await stream.next()
    stream.close()
    expect(part).toContain('POST /api/tail/rejected')
    expect(part).not.toContain('accepted')
    const after = await versions([ALL_PARTNERS, partnerId])
    expect([...after].filter(([subject, version]) => before.get(subject) === version)).toEqual([])
    const ofAll = textOf(await open('/console/requests/tail', 'operator-reader'))
    expect(ofAll).toContain('POST /api/tail/accepted')
    const wrong = await open('/console/requests/tail?path=payments')
    expect([wrong.status, textOf(wrong)]).toEqual([422, expect.stringContaining('Begin with a slash')])
  })
})

describe('a request', () => {
  it('shows what was rejected and why, unknown fields, its bodies, and the same as a command', async () => {
    const unknownFields = [{ in: 'body', path: '.due_date', nearest: 'dueDate' }] as const
    const [id = ''] = await store({ ...REJECTED_REQUEST, unknownFields })
    const page = await open(`/console/requests/${id}`)
    expect(titleOf(page)).toBe('POST /api/v2/payments')
    expect(textOf(page)).toMatch(/InvalidAmount .+ More \.amount\.amount amount must have at most two decimals/)
    expect(textOf(page)).toMatch(/Unknown fields .*\.due_date dueDate/)
    expect(page.html).toContain('  &#34;amount&#34;: {\n')
    expect(textOf(page)).toMatch(/curl --request POST .*authorization: Bearer \$TOKEN/)
    expect(page.headers.get('content-security-policy')).toContain("script-src 'self'")
  })

  it('links to the payment that it created, which is found by its id and links back', async () => {
    const before = newId()
    const [paymentId = ''] = await storePayments(gateway, 1)
    const subject = { type: 'payment', id: paymentId } as const
    const [id = '', later = ''] = await store({ id: before, subject, milliseconds: 1234 }, { subject, method: 'GET' })
    expect((await open(`/console/requests/${id}`)).html).toContain(`href="/console/payments/${paymentId}"`)
    for (const request of [id, later]) {
      const list = await open(`/console/payments?q=${request}`, 'partner-finance')
      expect(list.html.match(/href="\/console\/payments\/[0-9a-f-]{36}"/g)).toEqual([
        `href="/console/payments/${paymentId}"`,
      ])
    }
    const link = `<a href="/console/requests/${id}">Request, answered after 1,23\u00a0s</a>`
    expect((await open(`/console/payments/${paymentId}`)).html).toContain(link)
    expect(textOf(await open(`/console/payments/${paymentId}`, 'partner-finance'))).toContain('answered after 1,23 s')
    expect((await open(`/console/payments/${paymentId}`, 'partner-finance')).html).not.toContain(link)
  })

  it('of a payroll is seen with the payroll right only, in the list and alone', async () => {
    const [id = ''] = await store({ isPayroll: true, path: '/api/v2/payroll' })
    for (const [role, isSeen] of [
      ['partner-developer', false],
      ['operator-reader', true],
    ] as const) {
      expect((await open(`/console/requests/${id}`, role)).status, role).toBe(isSeen ? 200 : 404)
      expect((await open(`/console/requests?path=/api/v2/payroll`, role)).html.includes(id), role).toBe(isSeen)
      expect((await open(`/console/requests?id=${id}`, role)).html.includes(`requests/${id}`), role).toBe(isSeen)
    }
  })

  it('of another partner is in no list', async () => {
    const { partner } = await createPartner(gateway.context, 'test', { name: 'Foreign' })
    const [id = ''] = await storeRequests(gateway, partner.id, [{ path: '/api/foreign' }])
    for (const path of [`?id=${id}`, `?partner=${partner.id}`, `?path=/api/foreign`, `.csv?partner=${partner.id}`]) {
      expect((await open(`/console/requests${path}`)).html, path).not.toContain('/api/foreign<')
      expect((await open(`/console/requests${path}`)).html, path).not.toContain(`,${id},`)
    }
  })
})

describe('a command', () => {
  const urls = { baseUrl: 'https://api.example', authUrl: 'https://auth.example', onboardingUrl: 'https://o.example' }
  const sample = {
    method: 'POST',
    path: '/api/v2/payments?a=b',
    headers: { 'consent-id': 'c', 'psu-ip-address': '[redacted]', 'user-agent': 'erp' },
    idempotencyKey: 'k',
    requestBody: `{"name":"it's $HOME \`id\`"}`,
  }

  it('is what was sent, without secrets, and safe to paste into a shell', async () => {
    const command = curlCommand(sample as unknown as LoggedRequest, urls)
    const { stdout } = await promisify(execFile)('sh', ['-c', `curl() { printf '%s\\n' "$@"; }; ${command}`], {
      env: { TOKEN: 'the-token', PSU_IP_ADDRESS: '127.0.0.1' },
    })
    expect(stdout.trim().split('\n')).toEqual([
      '--request',
      'POST',
      'https://api.example/api/v2/payments?a=b',
      '--header',
      'authorization: Bearer the-token',
      '--header',
      'prefer: errors=detailed',
      '--header',
      'consent-id: c',
      '--header',
      'psu-ip-address: 127.0.0.1',
      '--header',
      'idempotency-key: k',
      '--data',
      sample.requestBody,
    ])
  })

  it('for a token sends a form, with the secret in a variable', () => {
    const token = {
      ...sample,
      path: '/v2/connect/token',
      headers: { 'content-type': 'application/x-www-form-urlencoded;charset=UTF-8' },
      idempotencyKey: null,
      requestBody: JSON.stringify({ client_id: 'demo', client_secret: '[redacted]' }),
    }
    expect(curlCommand(token as unknown as LoggedRequest, urls)).toBe(
      [
        "curl --request POST 'https://auth.example/v2/connect/token'",
        "--header 'prefer: errors=detailed'",
        "--header 'content-type: application/x-www-form-urlencoded;charset=UTF-8'",
        "--data-urlencode 'client_id=demo'",
        '--data-urlencode "client_secret=$CLIENT_SECRET"',
      ].join(' \\\n  '),
    )
  })
})

it.each([
  [[{ code: 'A', path: '.b', reason: 'c' }], [{ code: 'A', path: '.b', message: 'c' }]],
  [{ failure: 'A', svcRequestId: newId(), message: 'c' }, [{ code: 'A', path: '', message: 'c' }]],
  [
    { svcRequestId: newId(), code: 'A', errors: [{ code: 'B', path: '.', message: 'c' }] },
    [{ code: 'B', path: '.', message: 'c' }],
  ],
  [{ error: 'invalid_client', error_description: 'c' }, [{ code: 'invalid_client', path: '', message: 'c' }]],
  ['Not found', [{ code: '', path: '', message: 'Not found' }]],
  [{ paymentId: '1' }, []],
  [null, []],
])('of the response %j is shown what was rejected', (body, rejections) => {
  expect(rejectionsIn(JSON.stringify(body))).toEqual(rejections)
})
