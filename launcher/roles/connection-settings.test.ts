/** Shows which limits on connections follow from the settings, and that rejected connections are counted. */

import { expect, test } from 'vitest'
import { readConfig } from '../../gateway/config/config.ts'
import { openLog } from '../../gateway/platform/observability/log.ts'
import { openMetrics } from '../../gateway/platform/observability/metrics.ts'
import { contextOf } from '../../gateway/testing/gateway/test-context.ts'
import { connectionSettings } from './connection-settings.ts'

const metrics = openMetrics({ processMetrics: false })

function settingsWith(environment: Record<string, string>) {
  const config = readConfig({
    HAVN_MODE: 'sandbox',
    DATABASE_URL: 'postgres://havn@localhost/havn',
    HAVN_MASTER_KEY_FILE: 'master.key',
    ...environment,
  })
  return connectionSettings(contextOf({ config, metrics, log: openLog({ program: 'test', level: 'silent' }) }))
}

test('the settings limit connections, in total and per address; behind a proxy only in total', () => {
  const limits = { HAVN_CONNECTIONS_MAX: '7', HAVN_CONNECTIONS_PER_ADDRESS_MAX: '3' }
  expect(settingsWith(limits)).toMatchObject({ max: 7, maxPerAddress: 3 })
  const behindProxy = { max: 7, maxPerAddress: Number.POSITIVE_INFINITY }
  expect(settingsWith({ ...limits, HAVN_TRUST_PROXY: '1' })).toMatchObject(behindProxy)
})

test('shutting down waits as long as a bank may take to respond, and no longer than the supervisor waits', () => {
  expect(settingsWith({ HAVN_BANK_ANSWER_TIMEOUT_SECONDS: '7' })).toMatchObject({ stopMillisecondsMax: 10_000 })
  expect(settingsWith({}).stopMillisecondsMax).toBeLessThan(35_000)
})

test('each rejected connection is counted by the limit that it exceeded', async () => {
  const { onRejected } = settingsWith({})
  onRejected('total')
  onRejected('address')
  onRejected('address')
  expect((await metrics.rejectedConnections.get()).values.map(({ labels, value }) => [labels.limit, value])).toEqual([
    ['total', 1],
    ['address', 2],
  ])
})
