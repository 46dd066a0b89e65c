/** Describes the container image of the server: its layers, its user, its command and its health check. */
import type { Platform } from '../platforms.ts'
import { IMAGE_USER } from './base-system.ts'
import { writeImage } from './oci-image.ts'

/** Where the server is in the image. */
const PLACE = 'opt/havn'
/** Ports that Kubernetes' probes and the health check know; settings change them. */
const ENVIRONMENT = [
  'PATH=/opt/havn/cli:/opt/havn/node_modules/.bin:/usr/bin:/bin',
  'HAVN_HOST=0.0.0.0',
  'HAVN_PORT=8080',
  'HAVN_OPERATOR_PORT=8081',
  'HAVN_WORKER_PORT=8082',
  // The file system may be read-only.
  'NODE_COMPILE_CACHE=/tmp/havn-compiled',
]
const SECOND = 1_000_000_000

/** What the image is made of. */
export type ServerImage = {
  readonly version: string
  readonly commit: string
  readonly dateMilliseconds: number
  readonly platform: Platform
  /** The folder of the base system. */
  readonly system: string
  /** The folder of the server. */
  readonly server: string
}

/** Writes `file`; `work` is emptied. */
export async function writeServerImage(file: string, work: string, image: ServerImage): Promise<void> {
  const { version, commit, dateMilliseconds, platform, system, server } = image
  const annotations = {
    'org.opencontainers.image.title': 'Havn',
    'org.opencontainers.image.description': 'A gateway between partners’ software and the banks of their customers.',
    'org.opencontainers.image.version': version,
    'org.opencontainers.image.revision': commit,
    'org.opencontainers.image.licenses': 'Apache-2.0',
  }
  await writeImage(file, work, {
    architecture: platform.architecture,
    reference: `havn:${version}`,
    dateMilliseconds,
    layers: [
      { folder: system, createdBy: 'Debian packages: C libraries and dash' },
      { folder: server, place: PLACE, createdBy: `havn ${version}` },
    ],
    config: {
      User: `${IMAGE_USER}:${IMAGE_USER}`,
      Env: ENVIRONMENT,
      Entrypoint: [`/${PLACE}/cli/havn`],
      Cmd: ['gateway'],
      WorkingDir: `/${PLACE}`,
      ExposedPorts: { '8080/tcp': {}, '8081/tcp': {}, '8082/tcp': {} },
      StopSignal: 'SIGTERM',
      // Not part of the OCI specification: Docker reads it, Kubernetes has probes of its own.
      Healthcheck: {
        Test: ['CMD', `/${PLACE}/cli/havn`, 'health'],
        Interval: 15 * SECOND,
        Timeout: 5 * SECOND,
        StartPeriod: 20 * SECOND,
        Retries: 3,
      },
      Labels: annotations,
    },
    annotations,
  })
}
