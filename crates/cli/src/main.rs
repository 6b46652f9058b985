//! The `astragal` command.

fn main() -> std::process::ExitCode {
    astragal_cli::main()
}
