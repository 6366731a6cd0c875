import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { readdirSync, readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import * as vscode from 'vscode';

/** A record of the audit log. */
export interface AuditLine {
  readonly kind: string;
  readonly text: string;
}

/** The audit log of this window. */
export class AuditLog {
  readonly #folder: string;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  static async open(): Promise<AuditLog> {
    const { folder } = await vscode.commands.executeCommand<{ readonly folder: string }>('svc.auditLog.verify');
    return new AuditLog(folder);
  }

  get lines(): readonly AuditLine[] {
    return readdirSync(this.#folder)
      .filter((name) => /^\d.*\.jsonl$/.test(name))
      .sort()
      .flatMap((name) => readFileSync(join(this.#folder, name), 'utf8').split('\n').slice(0, -1))
      .map((text) => ({ kind: (JSON.parse(text) as { readonly kind: string }).kind, text }));
  }
}

/** Notes each connection of this process to another port than that of the service. */
export function watchConnections(port: number): { readonly others: readonly string[]; readonly stop: () => void } {
  const others: string[] = [];
  const note = (message: unknown): void => {
    const { socket } = message as { readonly socket: Socket };
    socket.once('connect', () => {
      if (socket.remotePort !== undefined && socket.remotePort !== port)
        others.push(`${socket.remoteAddress}:${socket.remotePort}`);
    });
    // One that is refused was tried, too.
    socket.once('error', (error: NodeJS.ErrnoException & { readonly port?: number }) => {
      if (error.syscall === 'getaddrinfo') others.push(error.message);
      else if (error.port !== undefined && error.port !== port) others.push(`port ${error.port}`);
    });
  };
  subscribe('net.client.socket', note);
  return { others, stop: () => void unsubscribe('net.client.socket', note) };
}
