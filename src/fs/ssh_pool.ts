// Owns: one SFTP file system per ssh destination, and the options that all of them share.
// Must not know: paths, what the file systems are used for.

import { formatTarget, type SshTarget } from "./location.ts";
import { SftpFileSystem } from "./sftp.ts";
import { SftpChannel } from "./sftp_channel.ts";
import { openSshConnection, type SshConnectionOptions, sshIdentity } from "./ssh_connection.ts";

export class SshPool {
  readonly #options: SshConnectionOptions;
  readonly #fileSystems = new Map<string, SftpFileSystem>();
  /** Printed destinations, and what ssh makes of them. */
  readonly #identities = new Map<string, Promise<string>>();
  readonly #byIdentity = new Map<string, SftpFileSystem>();

  constructor(options: SshConnectionOptions) {
    this.#options = options;
  }

  /** The file system of a destination; nothing is connected before it is first used. */
  fileSystem(target: SshTarget): SftpFileSystem {
    const key = formatTarget(target);
    const known = this.#fileSystems.get(key);
    if (known !== undefined) return known;
    const milliseconds = this.#options.timeoutSeconds * 1000;
    const created = new SftpFileSystem(key, async () => {
      return await SftpChannel.open(openSshConnection(target, this.#options), {
        // ssh itself gives up first, with better words; a hardware key may wait for a touch.
        handshakeMilliseconds: milliseconds * 2,
        silenceMilliseconds: milliseconds,
      });
    });
    this.#fileSystems.set(key, created);
    return created;
  }

  /**
   * As `fileSystem`, and the same one for every spelling of a destination: an alias, the default port or
   * user written out. They share locks and undo, and none leads around the confinement of another.
   */
  async sharedFileSystem(target: SshTarget): Promise<SftpFileSystem> {
    const key = formatTarget(target);
    let asking = this.#identities.get(key);
    if (asking === undefined) {
      asking = sshIdentity(target, this.#options).then((identity) => identity ?? key);
      this.#identities.set(key, asking);
    }
    const identity = await asking;
    const known = this.#byIdentity.get(identity) ?? this.fileSystem(target);
    this.#byIdentity.set(identity, known);
    return known;
  }

  /** Ends every connection and its ssh process. */
  async close(): Promise<void> {
    await Promise.all([...this.#fileSystems.values()].map((fileSystem) => fileSystem.close()));
  }
}
