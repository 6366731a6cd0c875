import * as vscode from 'vscode';
import type { Participant } from './participant.ts';

const participantId = 'svc.participant';

/** Registers `@svc` in VS Code's chat; the implementation is loaded with the first question. */
export function registerParticipant(participant: () => Promise<Participant>, icon: vscode.Uri): vscode.Disposable {
  const registered = vscode.chat.createChatParticipant(participantId, async (request, context, response, token) =>
    (await participant()).answer(request, context, response, token),
  );
  registered.iconPath = icon;
  return registered;
}
