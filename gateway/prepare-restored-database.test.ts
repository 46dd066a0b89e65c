/** Tests what a restored database needs before it is used: payrolls are held, and no reader of events misses any. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openContext } from '../launcher/roles/open-context.ts'
import { startProcessRole } from '../launcher/roles/start-process-role.ts'
import { requireMasterKeyOfDatabase } from './auth/token-key.ts'
import { getOpenTasks } from './operators/resolve-task.ts'
import { resolvePaymentTask } from './orders/submit/resolve-payment-task.ts'
import { generateMasterKeyLine } from './platform/crypto/envelope-encryption.ts'
import { prepareRestoredDatabase } from './prepare-restored-database.ts'
import {
  openPayrollSubmissionFixture,
  type PayrollSubmissionFixture,
} from './testing/payrolls/payroll-submission-fixture.ts'
import { demoPartnerId, enqueueStatusChange } from './testing/webhooks/enqueue-status-change.ts'

let stage: PayrollSubmissionFixture
beforeAll(async () => {
  stage = await openPayrollSubmissionFixture()
})
afterAll(() => stage.gateway.close())

const prepare = () => {
  const { context } = stage.gateway
  return prepareRestoredDatabase(context, { restoredTo: context.clock.real(), actor: 'operator Kim' })
}

describe('after a restore', () => {
  test('nothing of a payroll in submission is submitted until operators have resolved its task', async () => {
    const { gateway } = stage
    const payroll = await stage.create('baskets', ['1001.01', '2002.02'])
    expect(await prepare()).toMatchObject({ payrollsHeld: 1 })
    expect(await prepare()).toMatchObject({ payrollsHeld: 1 })
    await gateway.client.moveSandboxClock({ body: { advance: 'PT2H' } })
    expect(await stage.atBank(payroll)).toEqual([])
    const held = (await getOpenTasks(gateway.context)).filter(({ kind }) => kind === 'PayrollHeld')
    expect(held.map(({ subjectId }) => subjectId)).toEqual([payroll.id])
    for (const task of held) {
      await resolvePaymentTask(
        gateway.context,
        task,
        { subject: 'user Kim', name: 'Kim', actor: 'operator Kim' },
        { type: 'noted', note: 'The bank holds nothing of it' },
      )
    }
    await gateway.client.moveSandboxClock({ body: { advance: 'PT2H' } })
    expect(await stage.atBank(payroll)).toHaveLength(2)
  })

  test('nothing starts with another master key', async () => {
    const { context } = stage.gateway
    await expect(requireMasterKeyOfDatabase(context)).resolves.toBeUndefined()
    const folder = await mkdtemp(join(tmpdir(), 'havn-other-key-'))
    const masterKeyFile = join(folder, 'master.key')
    await writeFile(masterKeyFile, generateMasterKeyLine('test'))
    const config = { ...context.config, masterKeyFile }
    const opened = await openContext(config, context.log, { program: 'havn test', processMetrics: false })
    await expect(startProcessRole('worker', opened)).rejects.toThrow('The master key is not the one of this database')
    await rm(folder, { recursive: true })
  })

  test('a reader beyond the newest event of the database gets the next one', async () => {
    const { gateway } = stage
    const partnerId = await demoPartnerId(gateway)
    await enqueueStatusChange(gateway, partnerId)
    const { nextAfter } = await gateway.client.listWebhookEvents({})
    const lost = String(BigInt(nextAfter) + 17n)
    await prepare()
    const { paymentId } = await enqueueStatusChange(gateway, partnerId)
    const { events, missed } = await gateway.client.listWebhookEvents({ query: { after: lost } })
    expect({ ids: events.map(({ data }) => data), missed }).toMatchObject({ ids: [{ paymentId }], missed: false })
  })
})
