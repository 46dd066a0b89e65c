/** Reads facts of this machine and its runtime. */
import { statfs } from 'node:fs/promises'
import { movableClock } from '../../../gateway/platform/clock.ts'
import { descriptorsMax } from '../../../gateway/platform/http/connection-limits.ts'
import type { HostFacts } from '../check.ts'

export function hostFacts(): HostFacts {
  return {
    nodeVersion: process.versions.node,
    timeZoneVersion: process.versions['tz'] ?? '',
    openFilesMax: descriptorsMax(),
    real: movableClock().real,
    freeSpace: async (path) =>
      await statfs(path).then(
        ({ bavail, blocks, bsize }) => ({ bytes: bavail * bsize, share: bavail / Math.max(blocks, 1) }),
        () => undefined,
      ),
  }
}
