
export interface AccountApi {
}

export interface Acknowledge extends TerminalCommand {
    offset: number;
    type: "acknowledge";
}

export interface ActivityTimes {
    person: number;
    responding: number;
    thinking: number;
    tool: number;
    waiting: number;
}

export interface AnalyticsApi {
}

export interface Answer extends IdeEvent {
    failure?: Failure | null;
    requestId: string;
    turnId?: string | null;
    type: "answer";
}

export interface ApprovalRule {
    action: Action;
    command?: string | null;
    path?: string | null;
    tool?: string | null;
}

export interface AuditApi {
}

export interface AuditView {
    address?: string | null;
    at: string;
    detail?: string | null;
    id: string;
    kind: AuditKind;
    names?: { [index: string]: string } | null;
    subject?: string | null;
    userId?: string | null;
}

export interface AwaitingConfirmation extends TurnChange {
    callId: string;
    decided?: ApprovalDecision | null;
    index: number;
    kind: "awaiting_confirmation";
    patterns?: string[] | null;
    preview?: string | null;
    reason: string;
    shown?: string | null;
}

export interface BackgroundProcess {
    command: string;
    endedAt?: string | null;
    exitCode?: number | null;
    id: string;
    lastOutput: string;
    startedAt: string;
    status: ProcessStatus;
}

export interface Block {
    mode: "prompt" | "responding" | "thinking" | "tool";
}

export interface BlockClosed extends TurnChange {
    closedAt: string;
    index: number;
    kind: "block_closed";
}

export interface BlockSuperseded extends TurnChange {
    index: number;
    kind: "block_superseded";
}

export interface BranchSession {
    turnId: string;
}

export interface CallGrows extends TurnChange {
    chars: number;
    kind: "call_grows";
    name: string;
}

export interface CancelTurn extends IdeCommand {
    requestId: string;
    turnId: string;
    type: "cancel_turn";
}

export interface ChangePrompt {
    before?: string | null;
    prompt?: string | null;
}

export interface ChangeWorkspaceMode {
    mode: WorkspaceMode;
}

export interface ChangedFile {
    path: string;
    status: GitStatus;
}

export interface ChangesView {
    complete: boolean;
    files: ChangedFile[];
    repository: boolean;
}

export interface Close extends TerminalCommand {
    type: "close";
}

export interface CloseSession extends IdeCommand {
    requestId: string;
    sessionId: string;
    type: "close_session";
}

export interface Closed extends TerminalEvent {
    exitCode?: number | null;
    type: "closed";
}

export interface CommitChanges {
    message: string;
    paths: string[];
}

export interface CommitView {
    commit: string;
}

export interface ConnectedDrone {
    hostname: string;
    id: string;
    load?: MachineLoad | null;
    name: string;
    ownerId: string;
    platform: string;
    status: DroneStatus;
    version: string;
}

export interface CreateEntry {
    text?: string | null;
    type: EntryType;
}

export interface CreateProject {
    gitUrl?: string | null;
    name: string;
    slug?: string | null;
}

export interface CreateProvider {
    apiKey?: string | null;
    baseUrl: string;
    defaultModel?: string | null;
    disableStreaming?: boolean | null;
    name: string;
    prices?: ModelPrice[] | null;
    type: ProviderType;
}

export interface CreateSession {
    approvalPolicy?: ApprovalPolicy | null;
    limits?: Limits | null;
    model?: string | null;
    name?: string | null;
    projectId: string;
    providerId: string;
    reasoningEffort?: ReasoningEffort | null;
    rules?: ApprovalRule[] | null;
    toolQueue?: ToolQueueMode | null;
    whenBusy?: BusyPolicy | null;
    workspaceId?: string | null;
    worktree?: boolean | null;
}

export interface CreateToken {
    expiresInDays?: number | null;
    name: string;
}

export interface CreateUser {
    email: string;
    name: string;
    password: string;
    role: Role;
}

export interface CreatedToken {
    createdAt: string;
    expiresAt?: string | null;
    id: string;
    name: string;
    token: string;
}

export interface DecideApproval extends IdeCommand {
    callId: string;
    decision: ApprovalDecision;
    parameters?: { [index: string]: any } | null;
    patterns?: string[] | null;
    reason?: string | null;
    requestId: string;
    shown?: string | null;
    turnId: string;
    type: "decide_approval";
}

export interface DecideToolCall {
    decision: ApprovalDecision;
    parameters?: { [index: string]: any } | null;
    patterns?: string[] | null;
    reason?: string | null;
    shown?: string | null;
}

export interface DiffView {
    complete: boolean;
    diff: string;
    repository: boolean;
}

export interface Done extends TurnChange {
    error?: Failure | null;
    finishedAt: string;
    kind: "done";
    stats: TurnStats;
    status: TurnStatus;
    usage: Usage;
}

export interface DoorView {
    door: DoorKind;
    readers: number;
}

export interface DroneApi {
}

export interface DroneChanged extends IdeEvent {
    droneId: string;
    status: DroneStatus;
    type: "drone_changed";
}

export interface DroneView {
    createdAt: string;
    currentSessionId?: string | null;
    hostname?: string | null;
    id: string;
    lastSeenAt?: string | null;
    load?: MachineLoad | null;
    name: string;
    platform?: string | null;
    status: DroneStatus;
    version?: string | null;
    workspaceDir?: string | null;
    workspaceId?: string | null;
    workspaceMode?: WorkspaceMode | null;
}

export interface DurabilityChanged extends IdeEvent {
    saved: boolean;
    type: "durability_changed";
}

export interface EnrolDrone {
    code?: string | null;
    email?: string | null;
    hostname: string;
    name: string;
    password?: string | null;
    workspaceDir: string;
    workspaceId: string;
}

export interface EnrolledDrone {
    credential: string;
    droneId: string;
}

export interface EnrolmentView {
    code: string;
    expiresAt: string;
}

export interface Error extends TurnChange {
    error: Failure;
    finishedAt: string;
    kind: "error";
    stats: TurnStats;
    status: TurnStatus;
    usage: Usage;
}

export interface ExamView {
    done: number;
    droneId: string;
    failure?: Failure | null;
    id: string;
    model: string;
    of: number;
    profile?: ModelProfile | null;
    status: ExamStatus;
    text: string;
}

export interface Failure {
    code: FailureCode;
    message: string;
}

export interface FileApi {
}

export interface FileChange {
    added?: number | null;
    kind: Kind;
    path: string;
    removed?: number | null;
}

export interface FileProblem {
    code: FailureCode;
    current?: FileView | null;
    detail: string;
    field?: string | null;
    status: number;
    title: string;
    type: string;
}

export interface FileView {
    kind: ContentKind;
    path: string;
    sha256?: string | null;
    size: number;
    text?: string | null;
}

export interface FilesChanged extends TurnChange {
    files: TurnFiles;
    kind: "files_changed";
}

export interface FolderEntry {
    name: string;
    size?: number | null;
    status?: GitStatus | null;
    type: EntryType;
}

export interface FolderView {
    complete: boolean;
    entries: FolderEntry[];
    path: string;
}

export interface FollowTurn extends IdeCommand {
    cursor?: string | null;
    requestId: string;
    turnId: string;
    type: "follow_turn";
}

export interface FoundView {
    complete: boolean;
    name: string;
    paths: string[];
}

export interface Hello extends IdeCommand {
    protocolVersion: number;
    type: "hello";
}

export interface IdeCommand {
    type: "cancel_turn" | "close_session" | "decide_approval" | "follow_turn" | "hello" | "open_session" | "ping" | "submit_prompt";
}

export interface IdeEvent {
    type: "answer" | "drone_changed" | "durability_changed" | "lists_changed" | "pong" | "refused" | "session_changed" | "turn_changed" | "turn_started" | "welcome" | "workspace_mode_changed";
}

export interface Input extends TerminalCommand {
    text: string;
    type: "input";
}

export interface Limits {
    maxCost?: number | null;
    maxEqualCalls?: number | null;
    maxFilesChanged?: number | null;
    maxOutputTokens?: number | null;
    maxRounds?: number | null;
    maxSeconds?: number | null;
    maxSessionCost?: number | null;
    maxSessionOutputTokens?: number | null;
}

export interface ListsChanged extends IdeEvent {
    type: "lists_changed";
}

export interface LoginRequest {
    email: string;
    password: string;
}

export interface MachineLoad {
    loadAverage?: number | null;
    processors: number;
}

export interface MemoryView {
    maxBytes: number;
    usedBytes: number;
}

export interface ModelPrice {
    cachedInput?: number | null;
    input: number;
    model: string;
    output: number;
}

export interface ModelProfile {
    arguments?: Score | null;
    contextAtLeast?: number | null;
    contextTokens?: number | null;
    edits?: Score | null;
    examinedAt: string;
    firstTokenMillis?: number | null;
    reportedContextTokens?: number | null;
    streaming?: boolean | null;
    thinking?: boolean | null;
    tokensPerSecond?: number | null;
    toolCalling?: ToolCalling | null;
}

export interface ModelView {
    id: string;
}

export interface Open extends TerminalCommand {
    columns: number;
    offset: number;
    protocolVersion: number;
    rows: number;
    sessionId: string;
    terminalId: string;
    type: "open";
}

export interface OpenSession extends IdeCommand {
    requestId: string;
    sessionId: string;
    type: "open_session";
}

export interface Opened extends TerminalEvent {
    end: number;
    fresh: boolean;
    offset: number;
    type: "opened";
}

export interface Output extends TerminalEvent {
    offset: number;
    text: string;
    type: "output";
}

export interface Page<T> {
    items: T[];
    next?: string | null;
}

export interface Ping extends IdeCommand {
    type: "ping";
}

export interface Pong extends IdeEvent {
    type: "pong";
}

export interface Problem {
    code: FailureCode;
    detail: string;
    field?: string | null;
    status: number;
    title: string;
    type: string;
}

export interface ProcessApi {
}

export interface ProcessOutput {
    complete: boolean;
    text: string;
}

export interface ProcessView {
    answers: boolean;
    doors: DoorView[];
    host: string;
    id: string;
    memory: MemoryView;
    saved: boolean;
    seenAt: string;
    silent: boolean;
    startedAt: string;
    turns: TurnCounts;
    unsavedTurns: number;
    version: string;
}

export interface ProfileView {
    model: string;
    profile: ModelProfile;
}

export interface ProjectApi {
}

export interface ProjectState {
    ahead?: number | null;
    behind?: number | null;
    branch?: string | null;
    cloned: boolean;
    clonedAt?: string | null;
    directory: string;
    dirty: boolean;
    lastSyncAt?: string | null;
    note?: string | null;
    syncing: boolean;
    upstream?: string | null;
}

export interface ProjectView {
    createdAt: string;
    gitUrl?: string | null;
    id: string;
    name: string;
    slug: string;
}

export interface Prompt extends Block {
    closedAt?: string | null;
    content: string;
    createdAt: string;
    index: number;
    mode: "prompt";
    superseded?: boolean | null;
}

export interface ProviderApi {
}

export interface ProviderView {
    baseUrl: string;
    createdAt: string;
    defaultModel?: string | null;
    disableStreaming: boolean;
    hasApiKey: boolean;
    id: string;
    name: string;
    prices: ModelPrice[];
    type: ProviderType;
}

export interface Refused extends IdeEvent {
    failure: Failure;
    type: "refused";
}

export interface RenameEntry {
    to: string;
}

export interface Resize extends TerminalCommand {
    columns: number;
    rows: number;
    type: "resize";
}

export interface Responding extends Block {
    closedAt?: string | null;
    content: string;
    createdAt: string;
    index: number;
    mode: "responding";
    parent?: string | null;
    superseded?: boolean | null;
}

export interface Retrying extends TurnChange {
    attempt: number;
    delayMillis: number;
    failure: Failure;
    kind: "retrying";
}

export interface RoundUsage {
    inputTokens: number;
    outputTokens: number;
    round: number;
    thinkingTokens: number;
}

export interface SaveFile {
    expectedSha256: string;
    text: string;
}

export interface Score {
    of: number;
    passed: number;
}

export interface ServiceView {
    host: string;
    java: string;
    load: MachineLoad;
    protocolVersion: number;
    startedAt: string;
    version: string;
}

export interface SessionAnalytics {
    leftOut: number;
    times: ActivityTimes;
    tools: ToolFigures[];
    turns: TurnFigures[];
    usage: Usage;
}

export interface SessionApi {
}

export interface SessionChanged extends IdeEvent {
    deleted: boolean;
    sessionId: string;
    type: "session_changed";
}

export interface SessionDetail {
    approvalPolicy: ApprovalPolicy;
    archived: boolean;
    createdAt: string;
    earlier?: string | null;
    id: string;
    limits: Limits;
    model: string;
    name: string;
    pinned: boolean;
    projectId: string;
    providerId: string;
    reasoningEffort: ReasoningEffort;
    rules: ApprovalRule[];
    runningTurnId?: string | null;
    titleUsage?: Usage | null;
    toolQueue: ToolQueueMode;
    turnEndedAt?: string | null;
    turnStatus?: TurnStatus | null;
    turns: Turn[];
    updatedAt: string;
    whenBusy: BusyPolicy;
    workspaceId?: string | null;
    worktree: boolean;
}

export interface SessionProject {
    gitUrl?: string | null;
    id: string;
    name: string;
    slug: string;
    state: ProjectState;
    worktree: boolean;
}

export interface SessionView {
    approvalPolicy: ApprovalPolicy;
    archived: boolean;
    createdAt: string;
    id: string;
    limits: Limits;
    model: string;
    name: string;
    pinned: boolean;
    projectId: string;
    providerId: string;
    reasoningEffort: ReasoningEffort;
    rules: ApprovalRule[];
    runningTurnId?: string | null;
    titleUsage?: Usage | null;
    toolQueue: ToolQueueMode;
    turnEndedAt?: string | null;
    turnStatus?: TurnStatus | null;
    updatedAt: string;
    whenBusy: BusyPolicy;
    workspaceId?: string | null;
    worktree: boolean;
}

export interface Snapshot extends TurnChange {
    kind: "snapshot";
    turn: Turn;
}

export interface StartExam {
    droneId?: string | null;
    model: string;
}

export interface StatusChanged extends TurnChange {
    error?: Failure | null;
    finishedAt?: string | null;
    kind: "status";
    status: TurnStatus;
}

export interface StoreView {
    kind: StoreKind;
    saved: boolean;
    trouble?: string | null;
    unsavedTurns: number;
}

export interface Stretch {
    activity: Activity;
    fromMillis: number;
    millis: number;
    tool?: string | null;
}

export interface SubmitPrompt extends IdeCommand {
    prompt: string;
    requestId: string;
    sessionId: string;
    type: "submit_prompt";
}

export interface SubmitTurn {
    prompt: string;
}

export interface SystemApi {
}

export interface SystemView {
    doors: DoorView[];
    drones: ConnectedDrone[];
    memory: MemoryView;
    processes: ProcessView[];
    service: ServiceView;
    store: StoreView;
    turns: TurnCounts;
}

export interface TerminalCommand {
    type: "acknowledge" | "close" | "input" | "open" | "resize" | "ping";
}

export interface TerminalEvent {
    type: "closed" | "opened" | "output" | "pong" | "refused";
}

export interface TerminalPing extends TerminalCommand {
    type: "ping";
}

export interface TerminalPong extends TerminalEvent {
    type: "pong";
}

export interface TerminalRefused extends TerminalEvent {
    failure: Failure;
    type: "refused";
}

export interface TextDelta extends TurnChange {
    createdAt?: string | null;
    index: number;
    kind: "text_delta";
    mode: BlockMode;
    offset: number;
    parent?: string | null;
    text: string;
}

export interface Thinking extends Block {
    closedAt?: string | null;
    content: string;
    createdAt: string;
    index: number;
    mode: "thinking";
    parent?: string | null;
    superseded?: boolean | null;
}

export interface TokenView {
    createdAt: string;
    expiresAt?: string | null;
    id: string;
    lastUsedAt?: string | null;
    name: string;
}

export interface Tool extends Block {
    closedAt?: string | null;
    content: ToolCall;
    createdAt: string;
    index: number;
    mode: "tool";
    parent?: string | null;
    superseded?: boolean | null;
}

export interface ToolApproval {
    decided?: ApprovalDecision | null;
    patterns?: string[] | null;
    preview?: string | null;
    reason: string;
    shown?: string | null;
}

export interface ToolCall {
    approval?: ToolApproval | null;
    askedAt?: string | null;
    callId: string;
    diff?: string | null;
    finishedAt?: string | null;
    name: string;
    output?: string | null;
    parameters: { [index: string]: any };
    response?: string | null;
    startedAt?: string | null;
    state: ToolCallState;
}

export interface ToolFigures {
    calls: number;
    denied: number;
    failed: number;
    longestMillis: number;
    millis: number;
    name: string;
}

export interface ToolOutput extends TurnChange {
    index: number;
    kind: "tool_output";
    offset: number;
    text: string;
}

export interface ToolState extends TurnChange {
    closedAt?: string | null;
    content: ToolCall;
    createdAt: string;
    index: number;
    kind: "tool_state";
    parent?: string | null;
}

export interface Turn {
    blocks: BlockUnion[];
    createdAt: string;
    error?: Failure | null;
    files?: TurnFiles | null;
    finishedAt?: string | null;
    id: string;
    model: string;
    prompt: string;
    provider: string;
    reasoningEffort: ReasoningEffort;
    sessionId: string;
    stats: TurnStats;
    status: TurnStatus;
    toolCalls: ToolCall[];
    usage: Usage;
}

export interface TurnAccepted {
    status: TurnStatus;
    turnId: string;
}

export interface TurnAnalytics {
    cut: boolean;
    rounds: RoundUsage[];
    timeline: Stretch[];
    tools: ToolFigures[];
    turn: TurnFigures;
}

export interface TurnChange {
    kind: "awaiting_confirmation" | "block_closed" | "block_superseded" | "call_grows" | "done" | "error" | "files_changed" | "retrying" | "snapshot" | "status" | "text_delta" | "tool_output" | "tool_state" | "usage";
}

export interface TurnChanged extends IdeEvent {
    changes: TurnChangeUnion[];
    cursor: string;
    turnId: string;
    type: "turn_changed";
}

export interface TurnCounts {
    ended: number;
    running: number;
    waiting: number;
}

export interface TurnDiff {
    diff: string;
}

export interface TurnEvents {
    cursor: string;
    events: TurnChangeUnion[];
    status: TurnStatus;
}

export interface TurnFigures {
    createdAt: string;
    millis: number;
    modeTransitions: number;
    model: string;
    prompt: string;
    rounds: number;
    status: TurnStatus;
    times: ActivityTimes;
    toolCalls: number;
    toolFailures: number;
    turnId: string;
    usage: Usage;
}

export interface TurnFiles {
    cut: boolean;
    diff: string;
    files: FileChange[];
    total: number;
    undone: boolean;
}

export interface TurnStarted extends IdeEvent {
    sessionId: string;
    turnId: string;
    type: "turn_started";
}

export interface TurnStats {
    modeTransitions: number;
    rounds: number;
    textChars: number;
    thinkingTokenCount: number;
    toolCallCount: number;
    toolFailures: number;
}

export interface UndoTurn {
    force?: boolean | null;
}

export interface UpdateProject {
    gitUrl?: string | null;
    name?: string | null;
}

export interface UpdateProvider {
    apiKey?: string | null;
    baseUrl?: string | null;
    defaultModel?: string | null;
    disableStreaming?: boolean | null;
    name?: string | null;
    prices?: ModelPrice[] | null;
}

export interface UpdateSession {
    approvalPolicy?: ApprovalPolicy | null;
    archived?: boolean | null;
    limits?: Limits | null;
    model?: string | null;
    name?: string | null;
    pinned?: boolean | null;
    providerId?: string | null;
    reasoningEffort?: ReasoningEffort | null;
    rules?: ApprovalRule[] | null;
    toolQueue?: ToolQueueMode | null;
    whenBusy?: BusyPolicy | null;
    workspaceId?: string | null;
    worktree?: boolean | null;
}

export interface UpdateUser {
    disabled?: boolean | null;
    name?: string | null;
    password?: string | null;
    role?: Role | null;
}

export interface Usage {
    cachedTokens?: number | null;
    contextTokens?: number | null;
    cost?: number | null;
    inputTokens: number;
    outputTokens: number;
    thinkingTokens: number;
}

export interface UsageChanged extends TurnChange {
    kind: "usage";
    stats: TurnStats;
    usage: Usage;
}

export interface UserView {
    createdAt: string;
    disabled: boolean;
    email: string;
    id: string;
    name: string;
    role: Role;
}

export interface Welcome extends IdeEvent {
    heartbeatSeconds: number;
    protocolVersion: number;
    serviceVersion: string;
    type: "welcome";
    userId: string;
}

export interface WorkspaceModeChanged extends IdeEvent {
    mode: WorkspaceMode;
    type: "workspace_mode_changed";
    workspaceId: string;
}

export interface WorkspaceView {
    droneStatus: DroneStatus;
    free: boolean;
    heldBy?: string | null;
    leaseSeconds?: number | null;
    mode?: WorkspaceMode | null;
    workspaceId: string;
}

export type Action = "allow" | "ask" | "deny";

export type Activity = "tool" | "person" | "thinking" | "responding" | "waiting";

export type ApprovalDecision = "approve" | "approve_for_session" | "deny";

export type ApprovalPolicy = "ask" | "auto_edit" | "auto" | "read_only";

export type AuditKind = "signed_in" | "signed_out" | "sign_in_refused" | "user_created" | "user_changed" | "provider_created" | "provider_changed" | "provider_deleted" | "exam_started" | "token_created" | "token_revoked" | "enrolment_code_made" | "enrolment_refused" | "drone_enrolled" | "drone_revoked" | "terminal_opened" | "terminal_closed" | "process_stopped" | "approval_decided" | "policy_changed";

export type BlockMode = "thinking" | "responding" | "tool" | "prompt";

export type BlockUnion = Thinking | Responding | Tool | Prompt;

export type BusyPolicy = "refuse" | "queue";

export type ContentKind = "text" | "binary" | "too_large";

export type DoorKind = "websocket" | "events" | "polling" | "terminal" | "drone";

export type DroneStatus = "starting" | "available" | "busy" | "offline";

export type EntryType = "file" | "folder" | "link" | "other";

export type ExamStatus = "running" | "done" | "failed";

export type FailureCode = "malformed_request" | "invalid_field" | "unknown_field" | "prompt_too_long" | "unauthenticated" | "wrong_credentials" | "too_many_attempts" | "forbidden" | "foreign_origin" | "not_found" | "not_acceptable" | "method_not_allowed" | "unsupported_media_type" | "payload_too_large" | "conflict" | "changed_meanwhile" | "turn_running" | "turn_ended" | "session_locked" | "no_drone" | "drone_busy" | "code_used_or_expired" | "store_unavailable" | "quota_reached" | "internal" | "provider_unreachable" | "provider_unauthorized" | "provider_refused" | "model_not_found" | "rate_limited" | "provider_error" | "provider_protocol" | "context_overflow" | "truncated" | "stalled" | "output_limit" | "drone_lost" | "drone_rejected" | "lease_lost" | "outdated_fence" | "sequence_gap" | "protocol_mismatch" | "frame_invalid" | "slow_reader" | "unknown_cursor" | "journal_failed" | "workspace_locked" | "workspace_unusable" | "git_failed" | "limit_reached" | "cancelled";

export type GitStatus = "M" | "A" | "D" | "U" | "?";

export type IdeCommandUnion = Hello | Ping | OpenSession | CloseSession | FollowTurn | SubmitPrompt | CancelTurn | DecideApproval;

export type IdeEventUnion = Welcome | Refused | Pong | Answer | TurnStarted | TurnChanged | SessionChanged | DroneChanged | WorkspaceModeChanged | ListsChanged | DurabilityChanged;

export type Kind = "added" | "modified" | "deleted";

export type ProcessAction = "list" | "output" | "stop" | "stop_all";

export type ProcessStatus = "running" | "exited" | "stopped";

export type ProviderType = "openai" | "ollama";

export type ReasoningEffort = "off" | "low" | "medium" | "high";

export type Role = "admin" | "member";

export type StoreKind = "embedded" | "mongodb";

export type TerminalCommandUnion = Open | Input | Resize | Acknowledge | Close | TerminalPing;

export type TerminalEventUnion = Opened | Output | Closed | TerminalRefused | TerminalPong;

export type ToolCallState = "queued" | "awaiting_approval" | "running" | "done" | "failed" | "denied" | "unknown";

export type ToolCalling = "native" | "text" | "none";

export type ToolEffect = "reads" | "writes" | "runs" | "network";

export type ToolQueueMode = "parallel" | "sequential";

export type TurnChangeUnion = Snapshot | TextDelta | BlockClosed | BlockSuperseded | ToolState | ToolOutput | AwaitingConfirmation | StatusChanged | UsageChanged | Retrying | CallGrows | FilesChanged | Done | Error;

export type TurnStatus = "queued" | "processing" | "awaiting_approval" | "finished" | "failed" | "cancelled" | "interrupted" | "budget_reached";

export type WorkspaceMode = "idle" | "user" | "agent";
