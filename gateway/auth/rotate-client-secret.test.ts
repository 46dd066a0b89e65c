/** Tests the rotation of a client's secret: the overlap, its end, and how long tokens live. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { scopesByEnvironment } from '../../contract/environments.ts'
import { startTestGateway, type TestGateway } from '../testing/gateway/test-gateway.ts'
import { type Credentials, createPartner } from './create-partner.ts'
import { revokeClientAccess } from './revoke-partner-access.ts'
import { revokeFormerSecret, rotateClientSecret } from './rotate-client-secret.ts'

let gateway: TestGateway
let created: Credentials
beforeAll(async () => {
  gateway = await startTestGateway()
  created = (await createPartner(gateway.context, 'test', { name: 'Rotates its secret' })).credentials
})
afterAll(() => gateway.close())

/** The lifetime of the token in seconds, or the error of the token endpoint. */
async function tokenWith({ clientId, clientSecret }: Credentials): Promise<unknown> {
  const response = await gateway.fetch('/v2/connect/token', {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      scope: scopesByEnvironment.sandbox,
      client_id: clientId,
      client_secret: clientSecret,
    }),
  })
  const answer = Object(await response.json())
  return answer.expires_in ?? answer.error
}

const endFormerIn = (seconds: number) =>
  gateway.context.database.pool.query('update clients set former_secret_ends_at = $2 where client_id = $1', [
    created.clientId,
    gateway.context.clock.real().add({ seconds }).toString(),
  ])

test('a new secret works while the former one still does; that ends by itself, and its tokens with it', async () => {
  const { context } = gateway
  const second = await rotateClientSecret(context, 'test', created.clientId, 7)
  expect([await tokenWith(created), await tokenWith(second)]).toEqual([3600, 3600])
  await endFormerIn(60)
  expect(await tokenWith(created)).toBeLessThanOrEqual(60)
  await endFormerIn(-1)
  expect([await tokenWith(created), await tokenWith(second)]).toEqual(['invalid_client', 3600])

  const third = await rotateClientSecret(context, 'test', created.clientId, 1)
  await expect(rotateClientSecret(context, 'test', created.clientId, 1)).rejects.toThrow('still valid')
  await revokeFormerSecret(context, 'test', created.clientId)
  expect([await tokenWith(second), await tokenWith(third)]).toEqual(['invalid_client', 3600])
  await expect(revokeFormerSecret(context, 'test', created.clientId)).rejects.toThrow('no former secret')

  const fourth = await rotateClientSecret(context, 'test', created.clientId, 0)
  expect([await tokenWith(third), await tokenWith(fourth)]).toEqual(['invalid_client', 3600])
  const { rows } = await context.database.pool.query('select * from clients where client_id = $1', [created.clientId])
  expect(JSON.stringify(rows)).not.toContain(fourth.clientSecret)
})

test('the secret of a disabled client, or with an overlap out of bounds, is not rotated', async () => {
  const { context } = gateway
  for (const days of [-1, 31, 0.5]) {
    await expect(rotateClientSecret(context, 'test', created.clientId, days)).rejects.toThrow('between 0 and 30 days')
  }
  // Not without its entry in the audit log, which has no such actor: it can be disabled again.
  await expect(revokeClientAccess(context, 'te\0st', created.clientId)).rejects.toThrow('0x00')
  await revokeClientAccess(context, 'test', created.clientId)
  await expect(rotateClientSecret(context, 'test', created.clientId, 1)).rejects.toThrow('No enabled client')
  await expect(rotateClientSecret(context, 'test', 'unknown', 1)).rejects.toThrow('No enabled client')
})
