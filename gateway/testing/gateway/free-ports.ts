/** Finds free ports for servers that a test starts a moment later, apart from the ports of other processes. */
import { createServer } from 'node:net'

/**
 * Ports below those that the system gives to outgoing connections and to listeners on port 0 (on Linux from 32768,
 * elsewhere from 49152). There, another process could be given a port between its choice and its use.
 */
const FIRST_PORT = 10_000
const LAST_PORT = 32_767
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
    if (await isFree(port)) {
      ports.push(port)
    }
  }
  return ports
}

function firstPort(): number {
  return FIRST_PORT + (process.pid % SLICES) * PORTS_PER_PROCESS
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer()
  return await new Promise((resolve) => {
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}
