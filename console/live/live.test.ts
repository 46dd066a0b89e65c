/** Tests live parts of pages: who is notified, what is streamed, and when a stream ends. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createPartner } from '../../gateway/auth/create-partner.ts'
import { signInAs } from '../../gateway/testing/console/console-user.ts'
import { openLiveStream } from '../../gateway/testing/console/live-stream.ts'
import { storePayments } from '../../gateway/testing/console/stored-payments.ts'
import { startTestGateway, type TestGateway } from '../../gateway/testing/gateway/test-gateway.ts'
import { composeServer } from '../../launcher/roles/compose-server.ts'
import { shareRendering } from './live-stream.ts'
import { limitVersions, openLiveVersions } from './live-versions.ts'

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway()
})
afterAll(() => gateway.close())

const query = (text: string, values: unknown[] = []) => gateway.context.database.pool.query(text, values)

describe('versions', () => {
  test('are read for all subjects at once, and a change notifies those who watch its subject', async () => {
    const versions = new Map([
      ['a', '1'],
      ['b', '1'],
    ])
    const reads: (readonly string[])[] = []
    const reader = async (subjects: readonly string[]) => {
      reads.push(subjects)
      return versions
    }
    const live = openLiveVersions(gateway.context, 1)
    const notified: string[] = []
    const told = { a: Promise.withResolvers<void>(), b: Promise.withResolvers<void>() }
    const stops = [
      live.watch(reader, 'a', () => {
        notified.push('a')
        told.a.resolve()
      }),
      live.watch(reader, 'b', () => {
        notified.push('b')
        told.b.resolve()
      }),
    ]
    await Promise.all([told.a.promise, told.b.promise])
    expect(reads[0]).toEqual(['a', 'b'])
    expect(notified.toSorted()).toEqual(['a', 'b'])
    const again = Promise.withResolvers<void>()
    stops.push(live.watch(reader, 'c', () => again.resolve()))
    versions.set('b', '2').set('c', '1')
    await again.promise
    expect(notified.filter((subject) => subject === 'b')).toHaveLength(2)
    expect(notified.filter((subject) => subject === 'a')).toHaveLength(1)
    for (const stop of stops) {
      stop()
    }
  })

  test('are not read without listeners, and read again after an error', async () => {
    let reads = 0
    const reader = async () => {
      reads += 1
      if (reads === 1) {
        throw new Error('The database is away')
      }
      return new Map([['a', '1']])
    }
    const live = openLiveVersions(gateway.context, 1)
    const notified = Promise.withResolvers<void>()
    const stop = live.watch(reader, 'a', () => notified.resolve())
    await notified.promise
    stop()
    const until = reads
    // Listeners of another subject are served by later polls, which read only subjects with listeners.
    const other = Promise.withResolvers<void>()
    const stopOther = live.watch(
      async () => new Map([['x', '1']]),
      'x',
      () => other.resolve(),
    )
    await other.promise
    expect(reads).toBe(until)
    stopOther()
  })
})

const openStream = (cookie: string, id: string, base = gateway.url) =>
  openLiveStream(`${base}/console/payments/${id}/live`, cookie)

describe('a subject that changes all the time', () => {
  test('is noticed at once, and then once in an interval', async () => {
    let [now, version] = [0, '1']
    const read = limitVersions(
      async () => new Map([['a', version]]),
      5_000,
      () => now,
    )
    const seen: (string | undefined)[] = []
    for (const [at, current] of [
      [0, '1'],
      [2_000, '2'],
      [4_000, '3'],
      [6_000, '4'],
      [8_000, '5'],
      [60_000, '5'],
      [66_000, '6'],
    ] as const) {
      ;[now, version] = [at, current]
      seen.push((await read(['a'])).get('a'))
    }
    expect(seen).toEqual(['1', '2', '2', '2', '5', '5', '6'])
  })

  test('is rendered once for all browsers that show it at that moment', async () => {
    let [now, rendered] = [0, 0]
    const share = shareRendering(() => now)
    const render = async () => `${++rendered}`
    const of = async (key: string) => await share(key, render)
    expect([await of('a'), await of('a'), await of('b')]).toEqual(['1', '1', '2'])
    now = 1_000
    expect([await of('a'), await of('a')]).toEqual(['3', '3'])
  })
})

// They wait for polls at the same time. Those that change sessions in the database change those of a user of their own.
describe.concurrent('a stream', () => {
  test('sends the part, again whenever the payment has changed, and ends once its user has signed out', async () => {
    const [id = ''] = await storePayments(gateway, 1)
    const browser = await signInAs(gateway, 'partner-finance')
    const stream = await openStream(browser.cookies(), id)
    expect(stream.response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
    expect(await stream.next()).toContain('Unsigned')
    await query(`update payments set status = 'Completed', changed_at = changed_at + interval '1 hour' where id = $1`, [
      id,
    ])
    expect(await stream.next()).toContain('Completed')
    await browser.open('/console/sessions')
    await browser.send('/console/sign-out')
    await query(`update payments set status = 'Rejected', changed_at = changed_at + interval '1 hour' where id = $1`, [
      id,
    ])
    expect(await stream.next()).toBe('')
  })

  test('is neither opened for a stranger, nor for a payment of another partner, and keeps no session in use', async () => {
    const { partner } = await createPartner(gateway.context, 'test', { name: 'Foreign' })
    const [[own = ''], [foreign = '']] = await Promise.all([
      storePayments(gateway, 1),
      storePayments(gateway, 1, { partnerId: partner.id }),
    ])
    expect((await openStream('', own)).response.status).toBe(403)
    const browser = await signInAs(gateway, 'partner-developer')
    const ofDeveloper = `'partner-developer' = any(roles)`
    await query(`update console_sessions set last_used_at = last_used_at - interval '50 minutes' where ${ofDeveloper}`)
    expect((await openStream(browser.cookies(), foreign)).response.status).toBe(404)
    const stream = await openStream(browser.cookies(), own)
    await stream.next()
    stream.close()
    const { rows } = await query(
      `select distinct last_used_at > created_at - interval '40 minutes' as used from console_sessions where ${ofDeveloper}`,
    )
    expect(rows).toEqual([{ used: false }])
  })

  test('ends once its user has other roles', async () => {
    const [id = ''] = await storePayments(gateway, 1)
    const stream = await openStream((await signInAs(gateway, 'operator-reader')).cookies(), id)
    expect(await stream.next()).toContain('Unsigned')
    await query(`update console_sessions set roles = '{partner-payroll}' where 'operator-reader' = any(roles)`)
    await query(`update payments set status = 'Completed', changed_at = changed_at + interval '1 hour' where id = $1`, [
      id,
    ])
    expect(await stream.next()).toBe('')
  })

  test('ends when the server closes', async () => {
    const [id = ''] = await storePayments(gateway, 1)
    const browser = await signInAs(gateway, 'partner-finance')
    const server = await composeServer(gateway.context)
    const base = await server.listen({ host: '127.0.0.1', port: 0 })
    const stream = await openStream(browser.cookies(), id, base)
    await stream.next()
    await server.close()
    expect(await stream.next()).toBe('')
  })
})

test('the script is htmx with its extension, compressed', async () => {
  const response = await fetch(`${gateway.url}/assets/console-live.js`)
  expect(response.headers.get('content-encoding')).toBe('gzip')
  const text = await response.text()
  expect(text).toContain('var htmx=')
  expect(text).toContain('hx-sse:connect')
})
