/** Finds free ports for servers that a test starts a moment later, apart from the ports of other processes. */
import { FIRST_PORT, isFreePort, LAST_PORT } from '../../../launcher/free-ports.ts'

/** Every process chooses from ports of its own, so that test files that run at the same time never choose the same. */
const PORTS_PER_PROCESS = 64
const SLICES = Math.floor((LAST_PORT + 1 - FIRST_PORT) / PORTS_PER_PROCESS)

let chosen = 0

/** Distinct free ports on loopback. A port is returned again only after the other ports of this process. */
export async function freePorts(count: number): Promise<readonly number[]> {
  const ports: number[] = []
  for (let tries = 0; ports.length < count; tries++) {
    if (tries === PORTS_PER_PROCESS) {
      throw new Error(
        `Fewer than ${count} ports are free from ${firstPort()} to ${firstPort() + PORTS_PER_PROCESS - 1}`,
      )
    }
    const port = firstPort() + (chosen++ % PORTS_PER_PROCESS)
    if (await isFreePort(port)) {
      ports.push(port)
    }
  }
  return ports
}

function firstPort(): number {
  return FIRST_PORT + (process.pid % SLICES) * PORTS_PER_PROCESS
}
