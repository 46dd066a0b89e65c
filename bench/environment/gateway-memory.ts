/** Finds the gateway process of a running Havn, and reads its peak memory. */
import { childProcesses } from '../../gateway/testing/gateway/child-processes.ts'
import { peakMemoryMegabytes } from './worker-process.ts'

/** The peak memory of the gateway since its start, in megabytes. */
export async function gatewayPeakMemoryMegabytes(supervisorPid: number): Promise<number> {
  const children = await childProcesses(supervisorPid)
  const gateway = children.find(({ commandLine }) => /gateway\/main\.ts(?! worker)/.test(commandLine))
  if (gateway === undefined) {
    throw new Error('No gateway process found')
  }
  return await peakMemoryMegabytes(gateway.pid)
}
