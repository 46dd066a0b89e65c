/** Lists the platforms that the server is released for. */

/** A platform, in the words of npm and in those of container images. */
export type Platform = {
  readonly name: string
  readonly os: 'linux'
  readonly cpu: 'x64' | 'arm64'
  /** The architecture in container images and in Debian's packages. */
  readonly architecture: 'amd64' | 'arm64'
}

export const PLATFORMS: readonly Platform[] = [
  { name: 'linux-x64', os: 'linux', cpu: 'x64', architecture: 'amd64' },
  { name: 'linux-arm64', os: 'linux', cpu: 'arm64', architecture: 'arm64' },
]
