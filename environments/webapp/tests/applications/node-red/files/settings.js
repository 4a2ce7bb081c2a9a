module.exports = {
    flowFile: "flows.json",
    credentialSecret: "the same in every instance",
    uiHost: "127.0.0.1",
    editorTheme: { tours: false },
    telemetry: { enabled: false, updateNotification: false },
    externalModules: { palette: { allowInstall: false } },
}
