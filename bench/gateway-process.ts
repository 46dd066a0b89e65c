/** Finds the gateway of a running Havn, and tells how much memory it has taken. */
import { childrenOf } from '../gateway/testing/gateway/child-processes.ts'
import { peakMegabytes } from './environment/worker-process.ts'

/** The most memory that the gateway has held at once since its start, in megabytes. */
export async function gatewayPeakMegabytes(supervisorPid: number): Promise<number> {
  const children = await childrenOf(supervisorPid)
  const gateway = children.find(({ commandLine }) => /gateway\/main\.ts(?! worker)/.test(commandLine))
  if (gateway === undefined) {
    throw new Error('There is no gateway')
  }
  return await peakMegabytes(gateway.pid)
}
