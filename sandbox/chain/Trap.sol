// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// Lets the sandbox make a certain transfer fail. No real token has this. Every trial call of the transfer passes, but
/// the transfer reverts each time it is mined. The same happens when an issuer freezes a wallet between the two.
///
/// A transaction that reverts loses its writes, so a trap cannot count its reverts. Its event names the number of
/// reverts instead, and the controller counts them on the chain and releases the trap. A trap that is not released
/// opens by itself, so that a wallet is never lost for good.
abstract contract Trap {
    uint256 private constant LIFE = 10 minutes;
    address private immutable setter = msg.sender;
    mapping(bytes32 => uint256) private trappedUntil;

    event Trapped(address indexed to, uint256 value, uint256 reverts);
    event Released(address indexed to, uint256 value);

    function trap(address to, uint256 value, uint256 reverts) external {
        require(msg.sender == setter, "Trap: caller is not the setter");
        trappedUntil[keyOf(to, value)] = block.timestamp + LIFE;
        emit Trapped(to, value, reverts);
    }

    function release(address to, uint256 value) external {
        require(msg.sender == setter, "Trap: caller is not the setter");
        delete trappedUntil[keyOf(to, value)];
        emit Released(to, value);
    }

    /// A trial call (eth_call) gives no gas price and sees 0. A mined transaction has paid at least the base fee.
    /// The slot is read in both cases, because an estimate of gas is a trial call too and must include the read.
    function spring(address to, uint256 value) internal view {
        require(block.timestamp >= trappedUntil[keyOf(to, value)] || tx.gasprice == 0, "Trap: sprung");
    }

    function keyOf(address to, uint256 value) private pure returns (bytes32) {
        return keccak256(abi.encode(to, value));
    }
}
